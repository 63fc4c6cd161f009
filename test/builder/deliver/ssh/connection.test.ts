import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SshConnection } from '../../../../builder/deliver/ssh/connection.ts';

const path = process.env.PATH;
let folder: string;
let connection: SshConnection | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'landfall-ssh-'));
  process.env.PATH = `${folder}:${path}`;
});
afterEach(async () => {
  await connection?.[Symbol.asyncDispose]();
  process.env.PATH = path;
  rmSync(folder, { recursive: true });
});

/** Connects to a server whose commands run this script, with a stand-in for `ssh`. */
async function serverThat(script: string): Promise<SshConnection> {
  const program = join(folder, 'ssh');
  const master = '[ "$1" != -M ] || { echo connected; exec sleep 600; }';
  writeFileSync(program, `#!/bin/sh\n${master}\n${script}\n`);
  chmodSync(program, 0o755);
  const destination = { user: 'root', host: 'server.example', port: undefined };
  const options = { interactive: false } as Parameters<typeof SshConnection.open>[1];
  connection = await SshConnection.open(destination, options, () => {});
  return connection;
}

describe('a command on a server', () => {
  it('returns its output and exit code', async () => {
    const server = await serverThat('cat; echo problem >&2; exit 3');
    expect(await server.run('x', 'input')).toEqual({
      ...{ code: 3, stdout: 'input', stderr: 'problem\n' },
    });
  });

  it('sends a stream to a command, and returns its exit code', async () => {
    const server = await serverThat('cat; exit 3');
    async function* content() {
      for (let index = 0; index < 50; index += 1) yield Buffer.alloc(100_000, 'x');
    }
    const { code, stdout } = await server.send('x', content());
    expect({ code, size: stdout.length }).toEqual({ code: 3, size: 5_000_000 });
  });

  it('closes a stream that a command does not read', async () => {
    const server = await serverThat('exit 4');
    let isClosed = false;
    async function* endless() {
      try {
        for (;;) yield Buffer.alloc(100_000);
      } finally {
        isClosed = true;
      }
    }
    expect(await server.send('x', endless())).toMatchObject({ code: 4 });
    expect(isClosed).toBe(true);
  });

  it('throws the error of a stream that it sends', async () => {
    const server = await serverThat('cat >/dev/null');
    async function* failing() {
      yield Buffer.alloc(10);
      throw new Error('disk');
    }
    await expect(server.send('x', failing())).rejects.toThrow('disk');
  });

  // As the master of ssh, a process in the background keeps the pipes open.
  it.each(['exec yes', 'exec yes >&2', 'yes >&2 & exec sleep 600'])(
    'stops a command on a server that prints without end: %s',
    async (script) => {
      const server = await serverThat(script);
      await expect(server.run('x')).rejects.toMatchObject({
        code: 'COMMAND_FAILED',
        message: 'a command on root@server.example prints too much',
      });
    },
  );

  it('stops a command on a server after its timeout', async () => {
    const server = await serverThat('sleep 5 & exec sleep 600');
    await expect(server.run('x', '', 0.2)).rejects.toMatchObject({ code: 'SSH_UNREACHABLE' });
  });

  it('shows its screen without sequences that the terminal would answer', async () => {
    const server = await serverThat(`printf '\\033[6n\\033[32mdone\\033[0m'`);
    const shown: string[] = [];
    const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
      shown.push(`${chunk}`);
      return true;
    });
    try {
      expect(await server.show('x', true)).toBe(0);
    } finally {
      write.mockRestore();
    }
    expect(shown.join('')).toBe('[6n\u001b[32mdone\u001b[0m');
  });

  it('shows no escape sequences of a server that forwards no port', async () => {
    const server = await serverThat(`printf '\\033]0;title\\007denied\\033[2J\\n' >&2; exit 1`);
    await expect(server.forward(80)).rejects.toMatchObject({
      code: 'SSH_FORWARD',
      message: 'the server does not forward a port over SSH',
      problems: [{ message: 'denied' }],
    });
  });
});
