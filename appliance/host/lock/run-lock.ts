import { rmSync } from 'node:fs';
import { LandfallError } from '#contract/errors.ts';
import { makeFolder } from '../files.ts';
import type { Host } from '../host.ts';
import { socketState, takeSocket } from './lock-socket.ts';

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
  const server = await takeSocket(path);
  if (!server) return undefined;
  const remove = () => rmSync(path, { force: true });
  process.once('exit', remove);
  return {
    release: () => {
      process.off('exit', remove);
      // The path is removed before the socket is closed, because another process would see it as stale.
      remove();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Reports whether a process holds the lock. Does not need root. */
export async function isRunLocked(host: Host, name: RunLockName): Promise<boolean> {
  return (await socketState(socketOf(host, name))) === 'held';
}

function socketOf(host: Host, name: RunLockName): string {
  return host.path(folder, `${name}.sock`);
}
