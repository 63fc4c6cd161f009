import { execa } from 'execa';
import { cached } from './cached.ts';
import type { DebianMirror } from './debian/debian-mirror.ts';
import { withMmdebstrap } from './debian/mmdebstrap.ts';
import type { Say } from './say.ts';

/** Debian 13 has the first version with the current features of authorities. */
const suite = 'trixie';
const packages = ['pebble'];

/**
 * Returns a folder with an unpacked Pebble, an ACME authority for tests; downloads it the first
 * time. Nothing is installed: see `commandIn` of `vm/qemu.ts`.
 * @throws Unmet
 */
export async function providePebble(
  cache: string,
  mirror: () => Promise<DebianMirror>,
  say: Say,
): Promise<string> {
  return await cached(cache, 'pebble', { suite, packages }, async (target) => {
    say('pebble', 'unpacked from Debian packages once');
    const bootstrap = { variant: 'extract', suite, packages, target } as const;
    await withMmdebstrap(bootstrap, await mirror(), (command, args, env) =>
      execa(command, args, { env, stdin: 'ignore' }),
    );
  });
}
