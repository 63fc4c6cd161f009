import { execa } from 'execa';
import { cached } from './cached.ts';
import type { DebianMirror } from './debian-mirror.ts';
import { withMmdebstrap } from './mmdebstrap.ts';
import type { Say } from './say.ts';
import { Unmet } from './unmet.ts';

const everywhere = [
  ...['openssl', 'python3', 'cloud-init', 'dash', 'ca-certificates'],
  ...['nftables', 'ufw', 'fail2ban', 'python3-systemd'],
];

/** What the tests run in each Debian release, as on a server. */
const packagesOf = {
  trixie: ['cosign', ...everywhere],
  bookworm: everywhere,
};

/**
 * Gives the root folder of a Debian release; makes it the first time.
 * @throws Unmet
 */
export async function provideChroot(
  suite: keyof typeof packagesOf,
  cache: string,
  mirror: () => Promise<DebianMirror>,
  say: Say,
): Promise<string> {
  if (process.getuid?.() !== 0) throw new Unmet('to make and enter another Debian takes root');
  const packages = packagesOf[suite];
  return await cached(cache, suite, packages, async (target) => {
    say(suite, 'made from Debian packages, only once');
    const bootstrap = { variant: 'essential', suite, packages, target } as const;
    await withMmdebstrap(bootstrap, await mirror(), (command, args, env) =>
      execa(command, args, { env, stdin: 'ignore' }),
    );
  });
}
