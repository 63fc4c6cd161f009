import { describe, expect, it } from 'vitest';
import { runCommand } from '../../../../../appliance/server/host/run/command.ts';
import { throughPipes } from '../../../../../appliance/server/host/run/pipes.ts';

const nameOf = (stream: number): [string, string[]] => ['readlink', [`/proc/self/fd/${stream}`]];
const streams = [0, 1, 2];

describe('a program that AppArmor confines', () => {
  it.each(streams)('would get a socket, which its profile denies, as stream %i', async (stream) => {
    expect((await runCommand(...nameOf(stream))).stdout).toMatch(/^socket:/);
  });

  it.each(streams)('gets a pipe as stream %i', async (stream) => {
    expect((await runCommand(...throughPipes(...nameOf(stream)))).stdout).toMatch(/^pipe:/);
  });

  it('reads its input and writes its output, whatever its arguments contain', async () => {
    const read = await runCommand(...throughPipes('cat', ['-']), { input: 'a secret' });
    expect(read).toMatchObject({ code: 0, stdout: 'a secret' });
    expect((await runCommand(...throughPipes('echo', ['a b', '$HOME']))).stdout).toBe('a b $HOME');
  });

  it('keeps the exit code, with the output on standard error', async () => {
    const failing = throughPipes('sh', ['-c', 'echo no such device; exit 7']);
    expect(await runCommand(...failing, { accept: [7] })).toEqual({
      code: 7,
      stdout: '',
      stderr: 'no such device',
    });
  });
});
