import { rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { LandfallError } from '#contract/errors.ts';
import { makeFolder } from './files.ts';
import type { Host } from './host.ts';

const folder = 'run/landfall';

/** A lock that one process on this server can hold. */
interface RunLock {
  /** Releases the lock. The end of the process releases it too. */
  release(): Promise<void>;
}

/**
 * Takes the lock that prevents concurrent runs on this server. The lock is a listening socket, so the
 * socket of a killed process does not count as held.
 * @throws LandfallError ALREADY_RUNNING
 */
export async function takeRunLock(host: Host, name: string): Promise<RunLock> {
  await makeFolder(host, folder);
  const path = socketOf(host, name);
  if (await isHeld(path)) {
    throw new LandfallError('ALREADY_RUNNING', `${name} is already running on this server`, {
      hint: 'Wait until it ends; `landfall status --watch` shows its progress.',
    });
  }
  await rm(path, { force: true });
  const server = await listen(path);
  return { release: () => new Promise((resolve) => server.close(() => resolve())) };
}

/** Reports whether a process holds the lock. Does not need root. */
export async function isRunLocked(host: Host, name: string): Promise<boolean> {
  return await isHeld(socketOf(host, name));
}

function socketOf(host: Host, name: string): string {
  return host.path(folder, `${name}.sock`);
}

/** A socket that this user has no permission to connect to counts as held. */
function isHeld(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket
      .on('connect', () => {
        socket.destroy();
        resolve(true);
      })
      .on('error', (error) => resolve('code' in error && error.code === 'EACCES'));
  });
}

/** Listens on a socket that does not keep the process alive. */
function listen(path: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy()).unref();
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen({ path }, () => resolve(server));
  });
}
