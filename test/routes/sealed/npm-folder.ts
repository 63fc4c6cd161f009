import { join } from 'node:path';
import { execa } from 'execa';

/** Returns the npm of this machine as a tar file: Debian's package of npm needs 300 others. */
export async function npmFolder(): Promise<Buffer> {
  const { stdout: root } = await execa('npm', ['root', '--global']);
  const { stdout } = await execa('tar', ['-C', join(root, 'npm'), '-cf', '-', '.'], {
    encoding: 'buffer',
    maxBuffer: 200_000_000,
  });
  return Buffer.from(stdout);
}
