import { join } from 'node:path';
import { execa } from 'execa';
import { cached } from '../cached.ts';
import type { DebianMirror } from '../debian/debian-mirror.ts';
import { withMmdebstrap } from '../debian/mmdebstrap.ts';
import type { Say } from '../say.ts';

/** qemu 7.2 of Debian 12 corrupts guests without KVM; Debian 13 has qemu 10. */
const suite = 'trixie';
const packages = ['qemu-system-x86', 'qemu-utils', 'seabios', 'busybox-static', 'e2fsprogs'];

/**
 * Returns a folder with the unpacked packages of a recent qemu; downloads it the first time.
 * Nothing is installed, and the release of this machine does not matter: see {@link commandIn}.
 * @throws Unmet
 */
export async function provideQemu(
  cache: string,
  mirror: () => Promise<DebianMirror>,
  say: Say,
): Promise<string> {
  return await cached(cache, 'qemu', { suite, packages }, async (target) => {
    say('qemu', 'unpacked from Debian packages once');
    const bootstrap = { variant: 'extract', suite, packages, target } as const;
    await withMmdebstrap(bootstrap, await mirror(), (command, args, env) =>
      execa(command, args, { env, stdin: 'ignore' }),
    );
  });
}

/**
 * Returns the command line of a program in such a folder: it uses the dynamic linker and libraries
 * of that folder, because this machine's may be older.
 * @param program path from the root of the folder, such as `usr/bin/qemu-img`
 */
export function commandIn(
  folder: string,
  program: string,
  args: readonly string[],
): [command: string, args: string[]] {
  const libraries = join(folder, 'usr/lib/x86_64-linux-gnu');
  const linker = join(libraries, 'ld-linux-x86-64.so.2');
  return [linker, ['--library-path', libraries, join(folder, program), ...args]];
}
