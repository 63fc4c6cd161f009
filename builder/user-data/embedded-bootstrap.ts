import { LandfallError } from '#contract/errors.ts';
import { type BootstrapFile, bootstrapFiles } from '../bootstrap-files.ts';
import type { BootSettings } from './boot-settings.ts';
import type { PinnedRelease } from './pinned-release.ts';

/** Returns the bootstrap files to embed: `socks5.py` only if a SOCKS5 proxy is used. */
export function embeddedBootstrap({ sources }: BootSettings): BootstrapFile[] {
  const needsSocks = sources.some(({ socks }) => socks !== undefined);
  return bootstrapFiles().filter(({ name }) => name !== 'socks5.py' || needsSocks);
}

/**
 * Compares the embedded files with the checksums in each release.
 * @returns a warning for each release without checksums
 * @throws LandfallError USER_DATA_MISMATCH with every file that differs
 */
export function compareBootstrap(
  embedded: readonly BootstrapFile[],
  releases: readonly PinnedRelease[],
): string[] {
  const problems = releases.flatMap((pinned) => differences(embedded, pinned));
  if (problems.length > 0) {
    throw new LandfallError('USER_DATA_MISMATCH', 'the bootstrap does not match the release', {
      hint: 'Run `landfall user-data` with the Landfall version that built the release.',
      problems: problems.map((message) => ({ message })),
    });
  }
  return releases
    .filter(({ release }) => release.bootstrap === undefined)
    .map(
      (pinned) =>
        `the bootstrap cannot be compared: ${nameOf(pinned)} has no checksums of its files`,
    );
}

function differences(embedded: readonly BootstrapFile[], pinned: PinnedRelease): string[] {
  const { bootstrap } = pinned.release;
  if (bootstrap === undefined) return [];
  const named = new Map(bootstrap.map(({ name, sha256 }) => [name, sha256]));
  return embedded
    .filter(({ name, sha256 }) => named.get(name) !== sha256)
    .map(({ name, sha256 }) => {
      const released = named.has(name) ? `requires SHA-256 ${named.get(name)}` : 'does not list it';
      return `${name} has SHA-256 ${sha256}, but ${nameOf(pinned)} ${released}`;
    });
}

function nameOf({ release }: PinnedRelease): string {
  return `${release.product} ${release.version} for ${release.arch}`;
}
