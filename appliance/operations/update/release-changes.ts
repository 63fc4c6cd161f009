import { decodeNewerRelease } from '#contract/bundle/decode-release.ts';
import { headMembers } from '#contract/bundle/head.ts';
import type { Release } from '#contract/bundle/release.ts';
import { isSameImage, updateCost } from '#contract/bundle/update-cost.ts';
import type { ChannelBundle } from '#contract/channel/channel.ts';
import { LandfallError } from '#contract/errors.ts';
import { chosenImages } from '#contract/site/chosen-images.ts';
import type { Site } from '#contract/site/site.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import type { Mirror } from './mirror.ts';

/** What an update transfers at most, and which containers it replaces. */
export interface ReleaseChanges {
  /** Bytes of the files, images and models that this server does not have. */
  readonly bytes: number;
  /** Number of items whose size is unknown. */
  readonly unsized: number;
  /** Bytes that the release takes on the disk at most, besides the installed one. */
  readonly disk: number;
  /** Components whose image is another one. */
  readonly components: string[];
}

const maxManifest = headMembers[0]?.maxBytes ?? 0;

/**
 * Compares a new release with the installed one, from the release.json beside its bundle. Null if no URL
 * has it: it is only a preview, and the bundle is verified when it is installed.
 */
export async function changesOf(
  mirror: Mirror,
  { urls, manifest }: ChannelBundle,
  before: Release,
  site: Site,
): Promise<ReleaseChanges | null> {
  for (const url of urls) {
    try {
      const bytes = await mirror.read(url.replace(/\.tar$/, '.release.json'), maxManifest);
      // The signed channel names its digest, so its signature need not be verified.
      if (sha256Hex(bytes) !== manifest) continue;
      return compareReleases(before, decodeNewerRelease(bytes).release, site);
    } catch (error) {
      if (!(error instanceof LandfallError)) throw error;
    }
  }
  return null;
}

/** The ratio of stored to downloaded size, as in the disk plan: layers are compressed in transit. */
const storedFactor = 2.6;

/** Compares a release with the installed one, for the images that the site chooses. */
export function compareReleases(before: Release, after: Release, site: Site): ReleaseChanges {
  const chosen = chosenImages(after, site);
  const { moved, images, models } = updateCost({ before, after: { ...after, images: chosen } });
  const sum = (field: 'bytes' | 'unsized') => moved[field] + images[field] + models[field];
  const changed = chosen.filter((image) => !before.images.some((old) => isSameImage(old, image)));
  const components = changed.map(({ component }) => component);
  const unpacked = changed.reduce((total, { size }) => total + storedFactor * (size ?? 0), 0);
  const disk = Math.round(moved.bytes + models.bytes + unpacked);
  return { bytes: sum('bytes'), unsized: sum('unsized'), disk, components };
}
