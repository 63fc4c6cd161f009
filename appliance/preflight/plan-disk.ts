import type { Problem } from '#contract/errors.ts';
import { formatBytes } from '#contract/text/format-bytes.ts';
import { type DiskNeeds, sum } from './disk-needs.ts';

/** The disk plan of a release, or why it does not fit. */
export interface DiskDecision {
  readonly dropBlobs: boolean;
  readonly keepPrevious: boolean;
  /** Remaining bytes. */
  readonly spare: number;
  /** Set if even the smallest option does not fit. */
  readonly refusal?: Problem;
}

const gigabyte = 1e9;
/** For logs, system updates and files of users. Bytes. */
const reserve = 2 * gigabyte;
/** System packages that the stages install, mostly Docker. Bytes. */
const packages = 0.7 * gigabyte;

/**
 * Returns the first option that fits: keep the blobs and space for the next release; remove the blobs
 * after the import of the images; reserve no space for the next release.
 * @param free free bytes on the device, after the bundle was unpacked
 */
export function planDisk(needs: DiskNeeds, free: number): DiskDecision {
  const options = [
    { dropBlobs: false, keepPrevious: true },
    { dropBlobs: true, keepPrevious: true },
    { dropBlobs: false, keepPrevious: false },
    { dropBlobs: true, keepPrevious: false },
  ].filter(({ dropBlobs }) => !dropBlobs || needs.blobs > 0);
  const option = options.find((candidate) => spaceNeeded(needs, candidate) <= free);
  if (option) return { ...option, spare: free - spaceNeeded(needs, option) };
  const minimal = { dropBlobs: needs.blobs > 0, keepPrevious: false, spare: 0 };
  return { ...minimal, refusal: refusal(needs, free, spaceNeeded(needs, minimal)) };
}

/**
 * Returns the peak of additional bytes. Blobs are removed before models are fetched, so their space
 * is available to models but not to images.
 */
export function spaceNeeded(
  needs: DiskNeeds,
  { dropBlobs, keepPrevious }: { readonly dropBlobs: boolean; readonly keepPrevious: boolean },
): number {
  const loaded = needs.images + needs.downloads + packages;
  const models = sum(Object.values(needs.models)) - needs.carried;
  const next = keepPrevious ? needs.images + (dropBlobs ? 0 : needs.blobs) : 0;
  const settled = loaded + models + next - (dropBlobs ? needs.blobs : 0);
  return Math.max(loaded, settled) + reserve;
}

function refusal(needs: DiskNeeds, free: number, needed: number): Problem {
  const choices = [...Object.entries(needs.optional), ...Object.entries(needs.models)]
    .sort(([, one], [, other]) => other - one)
    .map(([name, size]) => `${name} (${formatBytes(size)})`);
  const leaveOut = choices.length === 0 ? '' : `, or leave out ${choices.join(', ')}`;
  return {
    message: `not enough disk space: ${formatBytes(free)} free, ${formatBytes(needed)} needed`,
    hint: `Use a disk with ${formatBytes(needed - free)} more${leaveOut}.`,
  };
}
