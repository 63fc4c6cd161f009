import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { addPackages } from './add-packages.ts';
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
  const inputs = { suite, packages: cloudPackages, hooks, more: more[suite], version: 3 };
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
    await archiveRoot(root, server);
    await addPackages(root, suite, more[suite], found);
  });
  return filesIn(folder);
}

function filesIn(folder: string): Debian {
  return { server: join(folder, 'server.tar'), root: join(folder, 'root') };
}

const attributes = ['--xattrs', '--xattrs-include=*', '--numeric-owner'];

/** Archives a root folder as it is, with the capabilities of its programs. */
export async function archiveRoot(root: string, archive: string): Promise<void> {
  await execa('tar', [...attributes, '--create', '--file', archive, '--directory', root, '.']);
}

/** Unpacks what {@link archiveRoot} made into a folder that is there. */
export async function unpackRoot(archive: string, root: string): Promise<void> {
  await execa('tar', [...attributes, '--extract', '--file', archive, '--directory', root]);
}
