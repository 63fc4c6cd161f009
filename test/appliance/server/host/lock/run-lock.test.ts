import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, linkSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  isRunLocked,
  socketState,
  takeChangeLock,
  takeRunLock,
  takeSocket,
} from '../../../../../appliance/server/host/lock/run-lock.ts';
import { TemporaryHost } from '../../../temporary-host.ts';

const refusal = {
  code: 'ALREADY_RUNNING',
  message: 'first-boot is already running on this server',
};

describe('a run lock', () => {
  it('cannot be taken by a second process until the first one releases it', async () => {
    const host = TemporaryHost.with({});
    const held = await takeRunLock(host, 'first-boot');
    await expect(takeRunLock(host, 'first-boot')).rejects.toMatchObject(refusal);
    await held.release();
    await (await takeRunLock(host, 'first-boot')).release();
  });

  it('can be checked by every user without taking it', async () => {
    const host = TemporaryHost.with({});
    expect(await isRunLocked(host, 'first-boot')).toBe(false);
    const held = await takeRunLock(host, 'first-boot');
    expect(await isRunLocked(host, 'first-boot')).toBe(true);
    expect(await isRunLocked(host, 'route-test')).toBe(false);
    await held.release();
    expect(await isRunLocked(host, 'first-boot')).toBe(false);
  });

  it('does not block another lock', async () => {
    const host = TemporaryHost.with({});
    const held = await takeRunLock(host, 'first-boot');
    await (await takeRunLock(host, 'route-test')).release();
    expect(await isRunLocked(host, 'first-boot')).toBe(true);
    await held.release();
  });

  it('frees a run lock after its holder was killed', async () => {
    const host = TemporaryHost.with({});
    const other = await holderOn(host, 'setInterval(() => {}, 1000);');
    await expect(takeRunLock(host, 'first-boot')).rejects.toMatchObject(refusal);
    other.kill('SIGKILL');
    await once(other, 'exit');
    expect(existsSync(socketOf(host))).toBe(true);
    expect(await isRunLocked(host, 'first-boot')).toBe(false);
    await (await takeRunLock(host, 'first-boot')).release();
    expect(readdirSync(host.path('run/landfall'))).toEqual([]);
  });

  it('leaves no socket when its holder ends', async () => {
    const host = TemporaryHost.with({});
    await once(await holderOn(host, ''), 'exit');
    expect(existsSync(socketOf(host))).toBe(false);
  });

  // Regression: for other users, the socket of a killed first boot counted as held.
  it('lets every user see whether it is held', async () => {
    const host = TemporaryHost.with({});
    const held = await takeRunLock(host, 'first-boot');
    expect(statSync(socketOf(host)).mode & 0o666).toBe(0o666);
    await held.release();
  });
});

function socketOf(host: TemporaryHost): string {
  return host.path('run/landfall/first-boot.sock');
}

/** Starts another process that takes the lock, and then runs a script. */
async function holderOn(host: TemporaryHost, script: string) {
  const module = fileURLToPath(
    new URL('../../../../../appliance/server/host/lock/run-lock.ts', import.meta.url),
  );
  const program = `
    const { takeRunLock } = await import(${JSON.stringify(module)});
    const { join } = await import('node:path');
    await takeRunLock({ path: (...parts) => join(${JSON.stringify(host.root)}, ...parts) }, 'first-boot');
    console.log('held');
    ${script}
  `;
  const other = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: fileURLToPath(new URL('../../../../..', import.meta.url)),
  });
  await once(other.stdout, 'data');
  return other;
}

const folder = mkdtempSync(join(tmpdir(), 'landfall-lock-'));
let count = 0;
let path: string;

beforeEach(() => {
  count += 1;
  path = join(folder, `${count}.sock`);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Takes the socket many times at once; returns what was taken. */
async function takeAtOnce(): Promise<Server[]> {
  const tries = await Promise.all(Array.from({ length: 20 }, () => takeSocket(path)));
  return tries.filter((server) => server !== undefined);
}

/** Returns the files whose paths start with this path. */
function filesOf(start: string): string[] {
  const files = readdirSync(folder).map((name) => join(folder, name));
  return files.filter((file) => file.startsWith(start));
}

describe('the socket of a lock', () => {
  it('takes the socket of a lock once, and leaves no other file', async () => {
    expect(await socketState(path)).toBe('absent');
    const taken = await takeAtOnce();
    expect(taken).toHaveLength(1);
    expect(filesOf(path)).toEqual([path]);
    expect(await socketState(path)).toBe('held');
    expect(await takeSocket(path)).toBeUndefined();
    taken[0]?.close();
  });

  // Regression: the second of three removed the new socket of the first, and the third took it too.
  it('takes the socket of a lock once after its process was killed', async () => {
    for (let round = 0; round < 50; round += 1) {
      await leaveStale();
      expect(await socketState(path)).toBe('stale');
      const taken = await takeAtOnce();
      expect(taken).toHaveLength(1);
      expect(await socketState(path)).toBe('held');
      expect(filesOf(path)).toEqual([path]);
      taken[0]?.close();
    }
  });
});

/** Leaves the socket that a killed process would leave. */
async function leaveStale(): Promise<void> {
  if (existsSync(path)) rmSync(path);
  const server = createServer().listen(`${path}.first`);
  await once(server, 'listening');
  // The end of the server removes only the first name.
  linkSync(`${path}.first`, path);
  server.close();
  await once(server, 'close');
}

describe('the lock of changes', () => {
  it('takes the lock of changes without a message when nothing changes the server', async () => {
    const said: string[] = [];
    const host = TemporaryHost.with({});
    await (await takeChangeLock(host, (line) => said.push(line))).release();
    expect(said).toEqual([]);
  });

  it('waits for another command, and says so once', async () => {
    const said: string[] = [];
    const host = TemporaryHost.with({});
    const held = await takeRunLock(host, 'changes');
    const waiting = takeChangeLock(host, (line) => {
      said.push(line);
      void held.release();
    });
    await (await waiting).release();
    expect(said).toEqual(['Waiting for another landfall command that changes this server.']);
  });

  it('rejects a second lock of changes when the other command does not end', async () => {
    const host = TemporaryHost.with({});
    const held = await takeRunLock(host, 'changes');
    await expect(takeChangeLock(host, () => {}, 0)).rejects.toMatchObject({
      code: 'ALREADY_RUNNING',
      message: 'another command is changing this server',
    });
    await held.release();
  });

  it('does not wait for a first boot, which takes minutes', async () => {
    const host = TemporaryHost.with({});
    const held = [await takeRunLock(host, 'changes'), await takeRunLock(host, 'first-boot')];
    await expect(takeChangeLock(host, () => {})).rejects.toMatchObject({
      code: 'ALREADY_RUNNING',
      message: 'first-boot is already running on this server',
    });
    await Promise.all(held.map((lock) => lock.release()));
  });
});
