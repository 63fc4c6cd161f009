import { execa } from 'execa';
import { cached } from './cached.ts';
import type { DebianMirror } from './debian-mirror.ts';
import { withMmdebstrap } from './mmdebstrap.ts';
import type { Say } from './say.ts';
import { Unmet } from './unmet.ts';

/** A browser without a screen, and letters for what it shows: Latin and Chinese. */
const packages = ['chromium-headless-shell', 'fonts-dejavu-core', 'fonts-wqy-microhei'];

/**
 * Gives the root folder of a Debian that has a real browser; makes it the first time.
 * @throws Unmet
 */
export async function provideBrowser(
  cache: string,
  mirror: () => Promise<DebianMirror>,
  say: Say,
): Promise<string> {
  if (process.getuid?.() !== 0) throw new Unmet('to make and enter another Debian takes root');
  return await cached(cache, 'browser', packages, async (target) => {
    say('browser', 'made from Debian packages, only once');
    const bootstrap = { variant: 'essential', suite: 'trixie', packages, target } as const;
    await withMmdebstrap(bootstrap, await mirror(), (command, args, env) =>
      execa(command, args, { env, stdin: 'ignore' }),
    );
  });
}
