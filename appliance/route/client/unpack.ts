import { existsSync } from 'node:fs';
import { chmod, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { singBoxTarball } from '#contract/bundle/bundle-paths.ts';
import { LandfallError } from '#contract/errors.ts';
import { clientBinary } from '#contract/server-paths.ts';
import { moveIntoPlace } from '#files/move-into-place.ts';
import type { Context } from '../../stage/stage.ts';

type Input = Pick<Context, 'host' | 'release' | 'releaseFolder'>;

/** Returns whether the proxy client of the release is unpacked. */
export function hasClient({ releaseFolder }: Pick<Input, 'releaseFolder'>): boolean {
  return existsSync(join(releaseFolder, clientBinary));
}

/**
 * Unpacks the proxy client of the release. The tarball was verified with the bundle.
 * @throws LandfallError BUNDLE_CONTENT when the release has none, COMMAND_FAILED
 */
export async function unpackClient({ host, release, releaseFolder }: Input): Promise<void> {
  if (!release.files.some(({ path }) => path === singBoxTarball)) {
    throw new LandfallError('BUNDLE_CONTENT', 'the release does not contain a proxy client', {
      hint: 'Build a release with `clients` in appliance.yaml, or set another route.mode in /etc/landfall/site.json.',
    });
  }
  const target = join(releaseFolder, clientBinary);
  const folder = `${target}.landfall-new`;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  try {
    // The tarball has one folder, whose name contains the version; other files in it are not needed.
    await host.run('tar', [
      ...['--extract', '--gzip', '--file', join(releaseFolder, singBoxTarball)],
      ...['--directory', folder, '--no-same-owner', '--strip-components=1'],
      ...['--wildcards', 'sing-box-*/sing-box'],
    ]);
    const program = join(folder, 'sing-box');
    await chmod(program, 0o755);
    await moveIntoPlace(program, target);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
