import { LandfallError } from '#contract/errors.ts';
import { architectureOf, type Platform } from '../platform.ts';
import { printable } from '../registry/document.ts';
import type { IndexEntry, IndexPlatform } from '../registry/image-index.ts';

/** The baseline variant of each architecture, as indexes spell it. */
const plainVariants: Record<ReturnType<typeof architectureOf>, string> = {
  amd64: 'v1',
  arm64: 'v8',
};

/** Returns whether an image for this index platform runs on every machine of a platform. */
export function runsOn({ os, architecture, variant }: IndexPlatform, platform: Platform): boolean {
  const wanted = architectureOf(platform);
  return (
    os === 'linux' &&
    architecture === wanted &&
    (variant === undefined || variant === plainVariants[wanted])
  );
}

/**
 * Selects the index entry of each platform, the first of several (OCI image-spec "Image Index").
 * Attestations have the platform `unknown/unknown` and are never selected.
 * @throws LandfallError IMAGE_PLATFORM with the missing and the available platforms
 */
export function selectPlatforms(
  entries: readonly IndexEntry[],
  platforms: readonly Platform[],
  what: string,
): Array<{ platform: Platform; entry: IndexEntry }> {
  const selected = platforms.map((platform) => ({
    platform,
    entry: entries.find((entry) => entry.platform && runsOn(entry.platform, platform)),
  }));
  const missing = selected.filter(({ entry }) => !entry).map(({ platform }) => platform);
  if (missing.length > 0) throw missingPlatforms(what, missing, offered(entries));
  return selected.flatMap(({ platform, entry }) => (entry ? [{ platform, entry }] : []));
}

/** Returns the error for an image that lacks requested platforms. */
export function missingPlatforms(
  what: string,
  missing: readonly Platform[],
  offered: readonly string[],
): LandfallError {
  const there = offered.length === 0 ? 'no platform' : offered.join(', ');
  return new LandfallError(
    'IMAGE_PLATFORM',
    `${what} is not available for ${missing.join(' and ')}`,
    {
      hint: `Choose another image (this one has ${there}), or remove the platform from appliance.yaml.`,
    },
  );
}

/** Formats a platform: `linux/arm64/v8`. */
export function platformName({ os, architecture, variant }: IndexPlatform): string {
  return printable([os, architecture, variant].filter(Boolean).join('/'));
}

function offered(entries: readonly IndexEntry[]): string[] {
  const names = entries.flatMap(({ platform }) =>
    platform && platform.os !== 'unknown' ? [platformName(platform)] : [],
  );
  return [...new Set(names)].sort();
}
