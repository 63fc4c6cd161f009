import { connect } from 'node:net';

/** Returns whether `host:port` accepts connections. */
export async function whoListens(address: string): Promise<'somebody' | 'nobody'> {
  const [host, port] = address.split(':');
  return await new Promise((resolve) => {
    const socket = connect(Number(port), host);
    socket.once('connect', () => resolve('somebody')).once('error', () => resolve('nobody'));
    socket.once('close', () => socket.destroy()).unref();
    socket.once('connect', () => socket.end());
  });
}
