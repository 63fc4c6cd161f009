import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { runProgram } from '../../../../../builder/commands/preview/docker/docker.ts';

const env = { PATH: process.env.PATH };

describe('a program of a preview', () => {
  it('gets its input, and its output and exit code are returned', async () => {
    const input = Readable.from(['a', 'b']);
    const end = await runProgram('sh', ['-c', 'cat; echo no >&2; exit 3'], {
      ...{ env, input, anyCode: true },
    });
    expect(end).toEqual({ code: 3, stdout: 'ab', stderr: 'no' });
  });

  it('rejects a computer without the program, with what to install', async () => {
    await expect(runProgram('no-such-program', [], { env })).rejects.toMatchObject({
      code: 'TOOL_MISSING',
    });
  });

  it('may exit without reading its input', async () => {
    const input = Readable.from(Array.from({ length: 64 }, () => Buffer.alloc(1 << 16)));
    expect((await runProgram('true', [], { env, input })).code).toBe(0);
  });

  it('ends a program of a preview with its children when the run is interrupted', async () => {
    const controller = new AbortController();
    const ending = runProgram('sh', ['-c', 'echo started >&2; sleep 600 & wait'], {
      env,
      signal: controller.signal,
      onLine: () => controller.abort(new Error('interrupted')),
    });
    await expect(ending).rejects.toThrow('interrupted');
  });

  it('fails with the error of its input, and does not see the end of it', async () => {
    const input = Readable.from(
      (async function* () {
        yield 'half';
        throw new Error('the bundle changed');
      })(),
    );
    const ending = runProgram('sh', ['-c', 'cat && sleep 600'], { env, input });
    await expect(ending).rejects.toThrow('the bundle changed');
  });
});
