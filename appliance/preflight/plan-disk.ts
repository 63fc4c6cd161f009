import type { Problem } from '#contract/errors.ts';
import { formatBytes } from '#contract/text/format-bytes.ts';
import { type DiskNeeds, sum } from './disk-needs.ts';

/** How the disk is shared out, or why it cannot be. */
export interface DiskDecision {
  readonly dropBlobs: boolean;
  readonly keepPrevious: boolean;
  /** Bytes that are left over. */
  readonly spare: number;
  /** There where even the most frugal way does not fit. */
  readonly refusal?: Problem;
}

const gigabyte = 1e9;
/** For logs, updates of the system, and what a person puts there. */
const breathingSpace = 2 * gigabyte;
/** Packages of the system that the stages install: the engine above all. */
const packages = 0.7 * gigabyte;

/**
 * Finds the least frugal way in which a release fits: with its blobs and with room for the next
 * release beside it; without the blobs once the engine has its images; without that room.
 * @param free bytes free now on the one disk, the unpacked bundle already there
 */
export function planDisk(needs: DiskNeeds, free: number): DiskDecision {
  const ways = [
    { dropBlobs: false, keepPrevious: true },
    { dropBlobs: true, keepPrevious: true },
    { dropBlobs: false, keepPrevious: false },
    { dropBlobs: true, keepPrevious: false },
  ].filter(({ dropBlobs }) => !dropBlobs || needs.blobs > 0);
  const way = ways.find((candidate) => spaceNeeded(needs, candidate) <= free);
  if (way) return { ...way, spare: free - spaceNeeded(needs, way) };
  const frugal = { dropBlobs: needs.blobs > 0, keepPrevious: false, spare: 0 };
  return { ...frugal, refusal: refusal(needs, free, spaceNeeded(needs, frugal)) };
}

/**
 * The most that is taken at once, in bytes beyond what is there. Blobs go before models come, so
 * what they give back serves the models, not the images.
 */
export function spaceNeeded(
  needs: DiskNeeds,
  { dropBlobs, keepPrevious }: { readonly dropBlobs: boolean; readonly keepPrevious: boolean },
): number {
  const loaded = needs.images + needs.downloads + packages;
  const models = sum(Object.values(needs.models)) - needs.carried;
  const next = keepPrevious ? needs.images + (dropBlobs ? 0 : needs.blobs) : 0;
  const settled = loaded + models + next - (dropBlobs ? needs.blobs : 0);
  return Math.max(loaded, settled) + breathingSpace;
}

function refusal(needs: DiskNeeds, free: number, needed: number): Problem {
  const parts = [...Object.entries(needs.optional), ...Object.entries(needs.models)]
    .sort(([, one], [, other]) => other - one)
    .map(([name, size]) => `${name} (${formatBytes(size)})`);
  const leaveOut = parts.length === 0 ? '' : ` or leave out ${parts.join(', ')}`;
  return {
    message: `it has ${formatBytes(free)} of free disk; the release needs ${formatBytes(needed)}`,
    hint: `Take a disk with ${formatBytes(needed - free)} more${leaveOut}.`,
  };
}
