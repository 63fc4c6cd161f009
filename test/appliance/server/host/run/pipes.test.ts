import { describe, expect, it } from 'vitest';
import { runCommand } from '../../../../../appliance/server/host/run/command.ts';
import { readingPipe, writingPipe } from '../../../../../appliance/server/host/run/pipes.ts';

const nameOf = (stream: 0 | 1): [string, string[]] => ['readlink', [`/proc/self/fd/${stream}`]];

describe('a program that AppArmor confines', () => {
  it('would get sockets, which its profile denies', async () => {
    expect((await runCommand(...nameOf(0))).stdout).toMatch(/^socket:/);
    expect((await runCommand(...nameOf(1))).stdout).toMatch(/^socket:/);
  });

  it('reads a pipe, and its exit code is the one of the command', async () => {
    expect((await runCommand(...readingPipe(...nameOf(0)))).stdout).toMatch(/^pipe:/);
    const read = await runCommand(...readingPipe('cat', ['-']), { input: 'secret\0' });
    expect(read.stdout).toBe('secret\0');
    expect(await runCommand(...readingPipe('sh', ['-c', 'exit 7']), { accept: [7] })).toMatchObject(
      {
        code: 7,
      },
    );
  });

  it('writes into a pipe, whatever its arguments contain', async () => {
    expect((await runCommand(...writingPipe(...nameOf(1)))).stdout).toMatch(/^pipe:/);
    expect((await runCommand(...writingPipe('echo', ['a b', '$HOME']))).stdout).toBe('a b $HOME');
  });
});
