import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { runCommand } from '../../../../appliance/host/run/command.ts';

const folder = mkdtempSync(join(tmpdir(), 'landfall-command-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sh = (script: string, options = {}) => runCommand('sh', ['-c', script], options);

describe('a program of the system', () => {
  it('gives what it wrote, without the line break at the end', async () => {
    expect(await sh('echo out; echo err >&2')).toEqual({ code: 0, stdout: 'out', stderr: 'err' });
  });

  it('gets no shell: what looks like one is plain text', async () => {
    const { stdout } = await runCommand('printf', ['%s', '$(id); `id` && *']);
    expect(stdout).toBe('$(id); `id` && *');
  });

  it('runs in a plain environment, whatever the one of this program is', async () => {
    process.env.LANDFALL_STRAY = 'should not pass';
    try {
      const { stdout } = await runCommand('env', [], { env: { EXTRA: 'passes' } });
      const names = stdout.split('\n').map((line) => line.split('=')[0]);
      expect(names.sort()).toEqual(['DEBIAN_FRONTEND', 'EXTRA', 'HOME', 'LC_ALL', 'PATH']);
    } finally {
      delete process.env.LANDFALL_STRAY;
    }
  });

  it('reads secrets from its standard input', async () => {
    expect((await runCommand('cat', [], { input: 'a secret' })).stdout).toBe('a secret');
  });

  it('may leave its input unread', async () => {
    expect((await runCommand('true', [], { input: 'x'.repeat(1 << 20) })).code).toBe(0);
  });

  it('sees the end of its input at once where it is given none', async () => {
    expect((await runCommand('cat', [])).stdout).toBe('');
  });

  it('can write megabytes', async () => {
    const { stdout } = await sh('head -c 3000000 /dev/zero | tr "\\0" a');
    expect(stdout).toHaveLength(3_000_000);
  });

  it('keeps characters whole that come in two pieces', async () => {
    const { stdout } = await sh("printf '\\303'; sleep 0.1; printf '\\244'");
    expect(stdout).toBe('ä');
  });
});

describe('a program that fails', () => {
  it('is named with its arguments, its code and its last words', async () => {
    await expect(sh('for i in 1 2 3 4 5 6; do echo "line $i"; done; exit 3')).rejects.toMatchObject(
      {
        code: 'COMMAND_FAILED',
        message: expect.stringMatching(/^sh -c .* exited with code 3$/),
        problems: ['line 3', 'line 4', 'line 5', 'line 6'].map((message) => ({ message })),
      },
    );
  });

  it('is no failure with a code that was to be expected', async () => {
    expect(await sh('echo no; exit 4', { accept: [4] })).toMatchObject({ code: 4, stdout: 'no' });
  });

  it('is one with any other', async () => {
    await expect(sh('exit 5', { accept: [4] })).rejects.toMatchObject({ code: 'COMMAND_FAILED' });
  });

  it('is one when a signal ended it, whatever codes are accepted', async () => {
    const accept = Array.from({ length: 256 }, (_, code) => code);
    await expect(sh('kill -9 $$', { accept })).rejects.toMatchObject({
      message: expect.stringContaining('was terminated by SIGKILL'),
    });
  });

  it('is told apart from one that is not there', async () => {
    await expect(runCommand('no-such-program', [])).rejects.toMatchObject({
      code: 'TOOL_MISSING',
      message: 'no-such-program: command not found on this server',
    });
  });

  it('is told apart from one that must not be run', async () => {
    await expect(runCommand('/etc/passwd', [])).rejects.toMatchObject({
      code: 'COMMAND_FAILED',
      message: '/etc/passwd cannot be started: EACCES',
    });
  });

  it('cannot flood or steer the console with its last words', async () => {
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

describe('the time limit of a program', () => {
  it('ends one that takes longer', async () => {
    await expect(sh('sleep 600', { seconds: 0.2 })).rejects.toMatchObject({
      message: expect.stringContaining('timed out after 0.2 s'),
    });
  });

  it('ends what it started as well', async () => {
    const pids: number[] = [];
    const onLine = (line: string) => pids.push(Number(line));
    await expect(sh('sleep 600 & echo $!; wait', { seconds: 3, onLine })).rejects.toThrow(
      'timed out',
    );
    await vi.waitFor(() => expect(pids.map(isAlive)).toEqual([false]), 10_000);
  });

  it('ends one that does not want to', async () => {
    const stubborn = sh("trap '' TERM; while :; do sleep 0.1; done", { seconds: 0.2 });
    await expect(stubborn).rejects.toThrow('timed out');
  });

  it('does not hold up what was done in time: its service may go on', async () => {
    const pid = Number((await sh('sleep 600 & echo $!')).stdout);
    expect(isAlive(pid)).toBe(true);
    process.kill(pid, 'SIGKILL');
  });
});

describe('a program that runs while this one is ended', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('ends with it: %s', async (signal) => {
    const command = fileURLToPath(
      new URL('../../../../appliance/host/run/command.ts', import.meta.url),
    );
    const script = `import { runCommand } from ${JSON.stringify(command)};
      await runCommand('sh', ['-c', 'sleep 600 & echo $!; wait'], { onLine: console.log });`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script]);
    const [line] = await once(child.stdout, 'data');
    const ended = once(child, 'exit');
    child.kill(signal);
    expect(await ended).toEqual([null, signal]);
    await vi.waitFor(() => expect(isAlive(Number(String(line)))).toBe(false), 10_000);
  });
});

/** A zombie has ended; only nobody has asked yet. */
function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

describe('the lines of a program', () => {
  it('come while it runs', async () => {
    const flag = join(folder, 'seen');
    const lines: string[] = [];
    // It goes on only once its first line was heard.
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

  it('come from both of its outputs, the last one without a line break too', async () => {
    const lines: string[] = [];
    await sh('echo a; echo b >&2; printf c', { onLine: (line: string) => lines.push(line) });
    expect(lines.sort()).toEqual(['a', 'b', 'c']);
  });

  it('end it when whoever hears them cannot go on', async () => {
    const deaf = sh('echo a; sleep 600', {
      onLine: () => {
        throw new Error('deaf');
      },
    });
    await expect(deaf).rejects.toThrow('deaf');
  });
});
