import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { cached } from '../cached.ts';
import { AptArchive } from '../debian/apt-archive.ts';
import type { DebianMirror } from '../debian/debian-mirror.ts';
import type { Say } from '../say.ts';

/** Debian's unstable suite has the newest Compose; the version in stable may be two years old. */
const suite = 'sid';
const packageName = 'docker-compose';
const inPackage = 'usr/libexec/docker/cli-plugins/docker-compose';

/**
 * Returns the path of a Compose plugin, extracted from Debian's package without installing it;
 * downloads it the first time.
 * @throws the error of apt-get or dpkg-deb with its output.
 */
export async function provideComposePlugin(
  cache: string,
  mirror: () => Promise<DebianMirror>,
  say: Say,
): Promise<string> {
  const folder = await cached(cache, 'compose-plugin', { suite, packageName }, async (target) => {
    say('composePlugin', `extracted from Debian's ${packageName} once`);
    await mkdir(target);
    await extract(await mirror(), target);
  });
  return join(folder, packageName);
}

async function extract(mirror: DebianMirror, target: string): Promise<void> {
  const archive = await AptArchive.open({ suite, architecture: 'amd64', mirror });
  const tree = `${target}.tree`;
  try {
    await execa('dpkg-deb', ['--extract', await archive.downloadAlone(packageName), tree]);
    await execa('install', ['-m', '755', join(tree, inPackage), target]);
  } finally {
    await rm(tree, { recursive: true, force: true });
    await archive.close();
  }
}
