import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { link, rename, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { LandfallError } from '#contract/errors.ts';
import { makeFolder } from '../files.ts';
import type { Host } from '../host.ts';

const folder = 'run/landfall';

/** What one process at a time may do. A first boot holds `changes` too. */
type RunLockName = 'changes' | 'first-boot' | 'route-test';

/** A lock that one process on this server can hold. */
export interface RunLock {
  /** Releases the lock. The end of the process releases it too. */
  release(): Promise<void>;
}

/**
 * Takes the lock that prevents concurrent runs on this server.
 * @throws LandfallError ALREADY_RUNNING
 */
export async function takeRunLock(host: Host, name: RunLockName): Promise<RunLock> {
  const lock = await tryRunLock(host, name);
  if (lock) return lock;
  throw alreadyRunning(name);
}

/** Returns the error of a command that may not run twice. */
export function alreadyRunning(name: RunLockName): LandfallError {
  return new LandfallError('ALREADY_RUNNING', `${name} is already running on this server`, {
    hint: 'Wait until it ends; `landfall status --watch` shows its progress.',
  });
}

/**
 * Takes a lock, or returns undefined if another process holds it. The lock is a listening socket, so
 * the socket of a killed process does not count as held.
 */
export async function tryRunLock(host: Host, name: RunLockName): Promise<RunLock | undefined> {
  await makeFolder(host, folder);
  const path = socketOf(host, name);
  const server =
    (await listen(path)) ?? ((await removeStale(path)) ? await listen(path) : undefined);
  if (!server) return undefined;
  const remove = () => rmSync(path, { force: true });
  process.once('exit', remove);
  return {
    release: () => {
      process.off('exit', remove);
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Reports whether a process holds the lock. Does not need root. */
export async function isRunLocked(host: Host, name: RunLockName): Promise<boolean> {
  return await isHeld(socketOf(host, name));
}

function socketOf(host: Host, name: RunLockName): string {
  return host.path(folder, `${name}.sock`);
}

function isHeld(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket
      .on('connect', () => {
        socket.destroy();
        resolve(true);
      })
      .on('error', () => resolve(false));
  });
}

/**
 * Removes the socket of a killed process; returns false if a process listens on it. The socket is
 * renamed first, so that the new socket of another process that does the same is not removed.
 */
async function removeStale(path: string): Promise<boolean> {
  if (await isHeld(path)) return false;
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return true;
    throw error;
  }
  const isNew = await isHeld(aside);
  if (isNew) await link(aside, path);
  await rm(aside);
  return !isNew;
}

/**
 * Listens on a socket that does not keep the process alive, and that every user may connect to, which
 * is how `landfall status` sees a run without root. Returns undefined if the socket exists.
 */
function listen(path: string): Promise<Server | undefined> {
  const server = createServer((socket) => socket.destroy()).unref();
  return new Promise((resolve, reject) => {
    server
      .once('error', (error) =>
        codeOf(error) === 'EADDRINUSE' ? resolve(undefined) : reject(error),
      )
      .listen({ path, readableAll: true, writableAll: true }, () => resolve(server));
  });
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
