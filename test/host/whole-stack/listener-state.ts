import { connect } from 'node:net';

/** Returns whether `host:port` accepts connections. */
export async function listenerState(address: string): Promise<'listening' | 'closed'> {
  const [host, port] = address.split(':');
  return await new Promise((resolve) => {
    const socket = connect(Number(port), host);
    socket.once('connect', () => resolve('listening')).once('error', () => resolve('closed'));
    socket.once('close', () => socket.destroy()).unref();
    socket.once('connect', () => socket.end());
  });
}
