import { execa } from 'execa';
import { cached } from './cached.ts';
import type { DebianMirror } from './debian/debian-mirror.ts';
import { withMmdebstrap } from './debian/mmdebstrap.ts';
import type { Say } from './say.ts';
import { Unmet } from './unmet.ts';

/** A headless browser, with Latin and Chinese fonts. */
const packages = ['chromium-headless-shell', 'fonts-dejavu-core', 'fonts-wqy-microhei'];

/**
 * Returns the root folder of a Debian with a real browser; builds it the first time.
 * @throws Unmet
 */
export async function provideBrowser(
  cache: string,
  mirror: () => Promise<DebianMirror>,
  say: Say,
): Promise<string> {
  if (process.getuid?.() !== 0)
    throw new Unmet('building a Debian root folder must be run as root');
  return await cached(cache, 'browser', packages, async (target) => {
    say('browser', 'built from Debian packages once');
    const bootstrap = { variant: 'essential', suite: 'trixie', packages, target } as const;
    await withMmdebstrap(bootstrap, await mirror(), (command, args, env) =>
      execa(command, args, { env, stdin: 'ignore' }),
    );
  });
}
