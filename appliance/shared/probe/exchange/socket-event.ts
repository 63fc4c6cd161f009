import { once } from 'node:events';
import type { Socket } from 'node:net';

/**
 * Waits until a socket is ready. Destroys it otherwise.
 * @throws Error with `code` ETIMEDOUT after the timeout, else the error of the socket
 */
export async function untilReady(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  milliseconds: number,
): Promise<void> {
  const late = AbortSignal.timeout(milliseconds);
  // Later errors of a socket without a reader must not end the process.
  socket.on('error', () => {});
  try {
    await once(socket, event, { signal: late });
  } catch (cause) {
    socket.destroy();
    throw late.aborted ? timedOut() : cause;
  }
}

/** Returns the error of a timeout, as Node's sockets report it. */
export function timedOut(): Error {
  return Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' });
}
