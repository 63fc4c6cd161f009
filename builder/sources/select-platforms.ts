import { LandfallError } from '#contract/errors.ts';
import { architectureOf, type Platform } from '../platform.ts';
import { printable } from '../registry/document.ts';
import type { IndexEntry, IndexPlatform } from '../registry/image-index.ts';

/** The variants that every machine of an architecture runs, as indexes spell them. */
const plainVariants: Record<ReturnType<typeof architectureOf>, string> = {
  amd64: 'v1',
  arm64: 'v8',
};

/** Tells whether an image made for `made` runs on every machine of a platform. */
export function runsOn({ os, architecture, variant }: IndexPlatform, platform: Platform): boolean {
  const wanted = architectureOf(platform);
  return (
    os === 'linux' &&
    architecture === wanted &&
    (variant === undefined || variant === plainVariants[wanted])
  );
}

/**
 * The entry of an index for each platform; of several, the first (OCI image-spec "Image Index").
 * Attestations call themselves `unknown/unknown` and are never among them.
 * @throws LandfallError IMAGE_PLATFORM naming what is missing and what there is
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

/** The refusal of an image that was not built for what is asked for. */
export function missingPlatforms(
  what: string,
  missing: readonly Platform[],
  offered: readonly string[],
): LandfallError {
  const there = offered.length === 0 ? 'nothing that says what it runs on' : offered.join(', ');
  return new LandfallError('IMAGE_PLATFORM', `${what} is not there for ${missing.join(' and ')}`, {
    hint: `It has ${there}. Choose another image, or take the platform out of appliance.yaml.`,
  });
}

/** A platform in one word: `linux/arm64/v8`. */
export function platformName({ os, architecture, variant }: IndexPlatform): string {
  return printable([os, architecture, variant].filter(Boolean).join('/'));
}

function offered(entries: readonly IndexEntry[]): string[] {
  const names = entries.flatMap(({ platform }) =>
    platform && platform.os !== 'unknown' ? [platformName(platform)] : [],
  );
  return [...new Set(names)].sort();
}
