import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { LineSplitter, runCommand } from '../../../../../appliance/server/host/run/command.ts';

const folder = mkdtempSync(join(tmpdir(), 'landfall-command-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sh = (script: string, options = {}) => runCommand('sh', ['-c', script], options);

describe('runCommand', () => {
  it('returns the output without the final line break', async () => {
    expect(await sh('echo out; echo err >&2')).toEqual({ code: 0, stdout: 'out', stderr: 'err' });
  });

  it('does not use a shell', async () => {
    const { stdout } = await runCommand('printf', ['%s', '$(id); `id` && *']);
    expect(stdout).toBe('$(id); `id` && *');
  });

  it('uses a fixed environment', async () => {
    process.env.LANDFALL_STRAY = 'should not pass';
    try {
      const { stdout } = await runCommand('env', [], { env: { EXTRA: 'passes' } });
      const names = stdout.split('\n').map((line) => line.split('=')[0]);
      expect(names.sort()).toEqual(['DEBIAN_FRONTEND', 'EXTRA', 'HOME', 'LC_ALL', 'PATH']);
    } finally {
      delete process.env.LANDFALL_STRAY;
    }
  });

  it('passes input on standard input', async () => {
    expect((await runCommand('cat', [], { input: 'a secret' })).stdout).toBe('a secret');
  });

  it('accepts a program that does not read its input', async () => {
    expect((await runCommand('true', [], { input: 'x'.repeat(1 << 20) })).code).toBe(0);
  });

  it('closes standard input without input', async () => {
    expect((await runCommand('cat', [])).stdout).toBe('');
  });

  it('captures megabytes of output', async () => {
    const { stdout } = await sh('head -c 3000000 /dev/zero | tr "\\0" a');
    expect(stdout).toHaveLength(3_000_000);
  });

  it('decodes characters that are split across chunks', async () => {
    const { stdout } = await sh("printf '\\303'; sleep 0.1; printf '\\244'");
    expect(stdout).toBe('ä');
  });
});

describe('a program that fails', () => {
  it('throws an error with command line, exit code and last lines', async () => {
    await expect(sh('for i in 1 2 3 4 5 6; do echo "line $i"; done; exit 3')).rejects.toMatchObject(
      {
        code: 'COMMAND_FAILED',
        message: expect.stringMatching(/^sh -c .* exited with code 3$/),
        problems: ['line 3', 'line 4', 'line 5', 'line 6'].map((message) => ({ message })),
      },
    );
  });

  it('succeeds with an accepted exit code', async () => {
    expect(await sh('echo no; exit 4', { accept: [4] })).toMatchObject({ code: 4, stdout: 'no' });
  });

  it('fails with any other exit code', async () => {
    await expect(sh('exit 5', { accept: [4] })).rejects.toMatchObject({ code: 'COMMAND_FAILED' });
  });

  it('fails after a signal, regardless of accepted codes', async () => {
    const accept = Array.from({ length: 256 }, (_, code) => code);
    await expect(sh('kill -9 $$', { accept })).rejects.toMatchObject({
      message: expect.stringContaining('was terminated by SIGKILL'),
    });
  });

  it('throws TOOL_MISSING if the program does not exist', async () => {
    await expect(runCommand('no-such-program', [])).rejects.toMatchObject({
      code: 'TOOL_MISSING',
      message: 'no-such-program: command not found on this server',
    });
  });

  it('throws COMMAND_FAILED if the program is not executable', async () => {
    await expect(runCommand('/etc/passwd', [])).rejects.toMatchObject({
      code: 'COMMAND_FAILED',
      message: '/etc/passwd cannot be started: EACCES',
    });
  });

  it('throws an error without control characters and long lines', async () => {
    const flood = sh(
      "head -c 1000000 /dev/zero | tr '\\0' a; printf '\\n\\033[2J\\033]0;evil\\007hello'; exit 1",
    );
    const error = await flood.catch((caught: unknown) => caught);
    const messages = (error as { problems: { message: string }[] }).problems.map((p) => p.message);
    expect(messages.at(-1)).toBe('hello');
    for (const message of messages) {
      expect(message.length).toBeLessThanOrEqual(200);
      expect(message).not.toMatch(/\p{Cc}/u);
    }
  });
});

describe('the timeout of a program', () => {
  it('ends the program', async () => {
    await expect(sh('sleep 600', { seconds: 0.2 })).rejects.toMatchObject({
      message: expect.stringContaining('timed out after 0.2 s'),
    });
  });

  it('ends child processes', async () => {
    const pids: number[] = [];
    const onLine = (line: string) => pids.push(Number(line));
    await expect(sh('sleep 600 & echo $!; wait', { seconds: 3, onLine })).rejects.toThrow(
      'timed out',
    );
    await vi.waitFor(() => expect(pids.map(isAlive)).toEqual([false]), 10_000);
  });

  it('kills a program that ignores SIGTERM', async () => {
    const stubborn = sh("trap '' TERM; while :; do sleep 0.1; done", { seconds: 0.2 });
    await expect(stubborn).rejects.toThrow('timed out');
  });

  it('does not affect background processes of a completed program', async () => {
    const pid = Number((await sh('sleep 600 & echo $!')).stdout);
    expect(isAlive(pid)).toBe(true);
    process.kill(pid, 'SIGKILL');
  });
});

describe('a running program when this process is terminated', () => {
  const command = new URL('../../../../../appliance/server/host/run/command.ts', import.meta.url)
    .href;

  /** Starts a process that runs this script with `runCommand`. */
  function start(script: string) {
    const whole = `import { runCommand } from ${JSON.stringify(command)};\n${script}`;
    return spawn(process.execPath, ['--input-type=module', '--eval', whole]);
  }

  it.each(['SIGINT', 'SIGTERM'] as const)('receives the signal: %s', async (signal) => {
    const child = start(
      `await runCommand('sh', ['-c', 'sleep 600 & echo $!; wait'], { onLine: console.log });`,
    );
    const [line] = await once(child.stdout, 'data');
    const ended = once(child, 'exit');
    child.kill(signal);
    expect(await ended).toEqual([null, signal]);
    await vi.waitFor(() => expect(isAlive(Number(String(line)))).toBe(false), 10_000);
  });

  // Node dropped the signal, so that a first boot ignored Ctrl-C.
  it('does not hide a signal that arrives as the program ends', async () => {
    const child = start(`const run = runCommand('true', []);
      const wait = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
      wait(500);
      process.kill(process.pid, 'SIGHUP');
      await run;
      setTimeout(() => {}, 1000);`);
    expect(await once(child, 'exit')).toEqual([null, 'SIGHUP']);
  });
});

/** A zombie process counts as ended. */
function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

describe('the lines of a program', () => {
  it('arrive while it runs', async () => {
    const flag = join(folder, 'seen');
    const lines: string[] = [];
    // The program continues only after its first line was received.
    const script = `echo first; until [ -e ${flag} ]; do sleep 0.05; done; echo second`;
    await sh(script, {
      onLine: (line: string) => {
        lines.push(line);
        if (line === 'first') writeFileSync(flag, '');
      },
    });
    expect(lines).toEqual(['first', 'second']);
    expect(readFileSync(flag, 'utf8')).toBe('');
  });

  it('include stdout and stderr, and a last line without a line break', async () => {
    const lines: string[] = [];
    await sh('echo a; echo b >&2; printf c', { onLine: (line: string) => lines.push(line) });
    expect(lines.sort()).toEqual(['a', 'b', 'c']);
  });

  it('end the program if the listener throws', async () => {
    const deaf = sh('echo a; sleep 600', {
      onLine: () => {
        throw new Error('deaf');
      },
    });
    await expect(deaf).rejects.toThrow('deaf');
  });
});

/** Returns the lines of these chunks. */
function split(...pieces: readonly Buffer[]): string[] {
  const lines: string[] = [];
  const splitter = new LineSplitter((line) => lines.push(line));
  for (const piece of pieces) splitter.write(piece);
  splitter.end();
  return lines;
}

describe('LineSplitter', () => {
  it('splits lines and skips empty ones', () => {
    expect(split(Buffer.from('one\n\ntwo\r\nthree'))).toEqual(['one', 'two', 'three']);
  });

  it('splits at carriage returns', () => {
    expect(split(Buffer.from(' 10%\r 20%\r 30%\n'))).toEqual([' 10%', ' 20%', ' 30%']);
  });

  it('limits the length of a line', () => {
    const lines = split(Buffer.alloc(100_000, 'a'));
    expect(lines.join('')).toHaveLength(100_000);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(8192);
  });

  it('does not depend on chunk boundaries', () => {
    const text = fc
      .array(fc.constantFrom('ä', '漢', '😀', 'a', ' ', '\n', '\r', '\r\n'))
      .map((all) => all.join(''));
    fc.assert(
      fc.property(text, fc.array(fc.nat({ max: 60 })), (written, cuts) => {
        const bytes = Buffer.from(written);
        const places = [...new Set([0, ...cuts.filter((cut) => cut < bytes.length), bytes.length])];
        const ends = places.sort((a, b) => a - b);
        const pieces = ends.slice(1).map((end, index) => bytes.subarray(ends[index], end));
        const lines = written.split(/[\r\n]+/).filter((line) => line !== '');
        expect(split(...pieces)).toEqual(lines);
      }),
    );
  });
});
