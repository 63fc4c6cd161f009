import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
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

/** What mmdebstrap mounts or removes at the end has no place in the server's archive. */
const leftOut = ['./dev/*', './proc/*', './sys/*', './tmp/*', './var/lib/apt/lists/*'];

/**
 * Gives a Debian release; makes it the first time.
 * @throws Unmet
 */
export async function provideDebian(
  suite: keyof typeof more,
  cache: string,
  mirror: () => Promise<DebianMirror>,
  say: Say,
): Promise<Debian> {
  if (process.getuid?.() !== 0) throw new Unmet('to make and enter another Debian takes root');
  const hooks = [...cloudHooks(suite), ...archiveHooks, ...chrootHooks(suite)];
  const inputs = { suite, packages: cloudPackages, hooks, version: 1 };
  const folder = await cached(cache, suite, inputs, async (target) => {
    say(suite, 'made from Debian packages, only once');
    await mkdir(target);
    const found = await mirror();
    const root = join(target, 'root');
    const bootstrap = {
      ...({ variant: 'apt', packages: cloudPackages, suite, target: root, hooks } as const),
      environment: {
        SERVER: join(target, serverArchive),
        SOURCE: `deb ${found.url} ${suite} main`,
      },
    };
    await withMmdebstrap(bootstrap, found, (command, args, env) =>
      execa(command, args, { env, stdin: 'ignore' }),
    );
  });
  return { server: join(folder, serverArchive), root: join(folder, 'root') };
}

const serverArchive = 'server.tar';

const archiveHooks = [
  `tar --create --file="$SERVER" --directory="$1" --one-file-system --numeric-owner --xattrs ${leftOut
    .map((path) => `--exclude='${path}'`)
    // 1: a file changed meanwhile, as folders do that mmdebstrap mounts.
    .join(' ')} . || [ $? -eq 1 ]`,
];

/**
 * Installs with the package lists that are still there, and with apt's settings for this machine
 * (mmdebstrap(1), MMDEBSTRAP_APT_CONFIG): the new root has its own sources by now.
 */
function chrootHooks(suite: keyof typeof more): string[] {
  const options = [
    ...['-q', '-y', '--no-install-recommends', '-o', 'Dir::Etc::sourcelist="$1/run/test.list"'],
    ...['-o', 'Dir::Etc::sourceparts=/dev/null', '-o', 'DPkg::Chroot-Directory="$1"'],
  ].join(' ');
  return [
    'printf "%s\\n" "$SOURCE" >"$1/run/test.list"',
    `APT_CONFIG="$MMDEBSTRAP_APT_CONFIG" DEBIAN_FRONTEND=noninteractive apt-get install ${options} ${more[suite].join(' ')}`,
    'rm "$1/run/test.list"',
  ];
}
