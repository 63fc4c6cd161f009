import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { execa } from 'execa';
import { AptArchive } from './apt-archive.ts';
import { cached } from './cached.ts';
import type { DebianMirror } from './debian-mirror.ts';
import { cloudHooks, cloudPackages } from './host-image.ts';
import { withMmdebstrap } from './mmdebstrap.ts';
import type { Say } from './say.ts';
import { Unmet } from './unmet.ts';

/** A Debian release, made once for two purposes. */
export interface Debian {
  /** Archive of the root file system of a server to boot, as a cloud image has it. */
  readonly server: string;
  /** Root folder of the same with more programs in it, for `inChroot`. */
  readonly root: string;
}

/** What tests run besides in the root folder, as a server has it after its first boot. */
const more = {
  trixie: ['cosign', 'nftables', 'ufw', 'fail2ban', 'python3-systemd', 'dash'],
  bookworm: ['nftables', 'ufw', 'fail2ban', 'python3-systemd', 'dash'],
} as const;

type Suite = keyof typeof more;

/**
 * Gives a Debian release; makes it the first time.
 * @throws Unmet
 */
export async function provideDebian(
  suite: Suite,
  cache: string,
  mirror: () => Promise<DebianMirror>,
  say: Say,
): Promise<Debian> {
  if (process.getuid?.() !== 0) throw new Unmet('to make and enter another Debian takes root');
  const hooks = cloudHooks(suite);
  const inputs = { suite, packages: cloudPackages, hooks, more: more[suite], version: 2 };
  const folder = await cached(cache, suite, inputs, async (target) => {
    say(suite, 'made from Debian packages, only once');
    await mkdir(target);
    const { server, root } = filesIn(target);
    const found = await mirror();
    const bootstrap = {
      variant: 'apt',
      packages: cloudPackages,
      suite,
      target: root,
      hooks,
    } as const;
    await withMmdebstrap(bootstrap, found, (command, args, env) =>
      execa(command, args, { env, stdin: 'ignore' }),
    );
    const form = ['--numeric-owner', '--xattrs', '--one-file-system'];
    await execa('tar', ['--create', '--file', server, '--directory', root, ...form, '.']);
    await installMore(suite, root, found);
  });
  return filesIn(folder);
}

function filesIn(folder: string): Debian {
  return { server: join(folder, 'server.tar'), root: join(folder, 'root') };
}

const systemPath = '/usr/sbin:/usr/bin:/sbin:/bin';

/** Installs packages into a root folder without starting their services. */
async function installMore(suite: Suite, root: string, mirror: DebianMirror): Promise<void> {
  const status = join(root, 'var/lib/dpkg/status');
  const archive = await AptArchive.open({ suite, architecture: 'amd64', mirror, status });
  const policy = join(root, 'usr/sbin/policy-rc.d');
  try {
    await writeFile(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
    const packages = await archive.download(more[suite]);
    const inside = join(root, 'var/tmp/packages');
    await mkdir(inside);
    for (const path of packages) await copyFile(path, join(inside, basename(path)));
    const command = 'dpkg --force-unsafe-io --install /var/tmp/packages/*.deb';
    const env = { DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8', PATH: systemPath };
    await execa('chroot', [root, 'sh', '-c', command], { env, stdin: 'ignore' });
    await rm(inside, { recursive: true });
  } finally {
    await rm(policy, { force: true });
    await archive.close();
  }
}
