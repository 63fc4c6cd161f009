import { readFile } from 'node:fs/promises';
import { execa } from 'execa';

/** Unmounts leftovers of a killed Docker, so that its folder can be removed. */
export async function unmountBelow(folder: string): Promise<void> {
  const table = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '');
  const mounts = table
    .split('\n')
    .map((line) => line.split(' ')[4] ?? '')
    .filter((mount) => mount.startsWith(`${folder}/`));
  for (const mount of mounts.toReversed())
    await execa('umount', ['--lazy', mount], { reject: false });
}
