import { rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { LandfallError } from '#contract/errors.ts';
import { makeFolder } from './files.ts';
import type { Host } from './host.ts';

const folder = 'run/landfall';

/** Something that one program at a time may do. */
interface RunLock {
  /** Gives it up; the end of the program does as well, however it ends. */
  release(): Promise<void>;
}

/**
 * Makes sure that no other program does the same on this server now: two that bring it up at once
 * would undo each other's changes. The lock is a listening socket, so one that was left
 * by a program that was killed is told from one that is held.
 * @throws LandfallError ALREADY_RUNNING
 */
export async function takeRunLock(host: Host, name: string): Promise<RunLock> {
  await makeFolder(host, folder);
  const path = socketOf(host, name);
  if (await isHeld(path)) {
    throw new LandfallError('ALREADY_RUNNING', `${name} is under way on this server already`, {
      hint: 'Wait for it: landfall status --watch shows how far it is.',
    });
  }
  await rm(path, { force: true });
  const server = await listen(path);
  return { release: () => new Promise((resolve) => server.close(() => resolve())) };
}

/** Whether a program holds the lock now. Takes no rights and changes nothing. */
export async function isRunLocked(host: Host, name: string): Promise<boolean> {
  return await isHeld(socketOf(host, name));
}

function socketOf(host: Host, name: string): string {
  return host.path(folder, `${name}.sock`);
}

/** A socket that this user may not ask counts as held: nobody can tell that it is not. */
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

/** Does not keep the program from ending. */
function listen(path: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy()).unref();
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen({ path }, () => resolve(server));
  });
}
