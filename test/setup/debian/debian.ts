import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { cached } from '../cached.ts';
import type { Say } from '../say.ts';
import { Unmet } from '../unmet.ts';
import { addPackages } from './add-packages.ts';
import type { DebianMirror } from './debian-mirror.ts';
import { cloudHooks, cloudPackages } from './host-image.ts';
import { withMmdebstrap } from './mmdebstrap.ts';

/** A Debian release, built once for two purposes. */
export interface Debian {
  /** Archive of the root file system of a bootable server, as in a cloud image. */
  readonly server: string;
  /** Root folder of the same release with additional programs, for `inChroot`. */
  readonly root: string;
}

/** Additional programs for tests in the root folder, as on a server after its first boot. */
const more = {
  trixie: ['cosign', 'nftables', 'ufw', 'fail2ban', 'python3-systemd', 'dash'],
  bookworm: ['nftables', 'ufw', 'fail2ban', 'python3-systemd', 'dash'],
} as const;

/** WireGuard as a program, for test machines whose kernel has no such interface: `wg-quick` uses it then. */
const packages = [...cloudPackages, 'wireguard-go'];

type Suite = keyof typeof more;

/**
 * Returns a Debian release; builds it the first time.
 * @throws Unmet
 */
export async function provideDebian(
  suite: Suite,
  cache: string,
  mirror: () => Promise<DebianMirror>,
  say: Say,
): Promise<Debian> {
  if (process.getuid?.() !== 0)
    throw new Unmet('building a Debian root folder must be run as root');
  const hooks = cloudHooks(suite);
  const inputs = { suite, packages, hooks, more: more[suite], version: 4 };
  const folder = await cached(cache, suite, inputs, async (target) => {
    say(suite, 'built from Debian packages once');
    await mkdir(target);
    const { server, root } = filesIn(target);
    const found = await mirror();
    const bootstrap = {
      variant: 'apt',
      packages,
      suite,
      target: root,
      hooks,
    } as const;
    await withMmdebstrap(bootstrap, found, (command, args, env) =>
      execa(command, args, { env, stdin: 'ignore' }),
    );
    await archiveRoot(root, server);
    await addPackages(root, suite, more[suite], found);
  });
  return filesIn(folder);
}

function filesIn(folder: string): Debian {
  return { server: join(folder, 'server.tar'), root: join(folder, 'root') };
}

const attributes = ['--xattrs', '--xattrs-include=*', '--numeric-owner'];

/** Archives a root folder unchanged, with the capabilities of its programs. */
export async function archiveRoot(root: string, archive: string): Promise<void> {
  await execa('tar', [...attributes, '--create', '--file', archive, '--directory', root, '.']);
}

/** Unpacks an archive of {@link archiveRoot} into an existing folder. */
export async function unpackRoot(archive: string, root: string): Promise<void> {
  await execa('tar', [...attributes, '--extract', '--file', archive, '--directory', root]);
}
