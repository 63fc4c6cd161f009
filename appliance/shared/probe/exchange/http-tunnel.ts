import { request } from 'node:http';
import type { Socket } from 'node:net';
import type { LandfallError } from '#contract/errors.ts';
import type { ProxyServer } from '#http/proxy.ts';
import { TransferError } from '#http/transfer-error.ts';
import { timedOut } from './socket-event.ts';

/**
 * Requests a tunnel from an HTTP proxy (RFC 9110, 9.3.6).
 * @param target host and port, such as `api.openai.com:443`
 * @param speaksFirst whether the target may send before the client, as SSH does and TLS does not
 * @returns the connection, which then leads to the target
 * @throws TransferError NETWORK_PROXY with the status if the proxy refuses; Error with `code` after a
 * timeout
 */
export async function httpTunnel(
  socket: Socket,
  { username, password }: ProxyServer,
  target: string,
  timeout: number,
  speaksFirst = false,
): Promise<Socket> {
  const login = Buffer.from(`${username}:${password}`).toString('base64');
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const asked = request({
    createConnection: () => socket,
    method: 'CONNECT',
    path: target,
    headers: {
      host: target,
      ...(username === '' ? {} : { 'proxy-authorization': `Basic ${login}` }),
    },
  });
  asked.on('error', reject);
  asked.on('connect', ({ statusCode = 0 }, tunnel, head) => {
    const isEarly = head.length > 0 && !speaksFirst;
    if (statusCode < 200 || statusCode > 299 || isEarly) return reject(refusal(statusCode));
    tunnel.unshift(head);
    resolve(tunnel as Socket);
  });
  const timer = setTimeout(() => reject(timedOut()), timeout);
  asked.end();
  try {
    return await promise;
  } catch (cause) {
    socket.destroy();
    throw cause;
  } finally {
    clearTimeout(timer);
  }
}

function refusal(status: number): LandfallError {
  const text =
    status === 407 ? 'authentication failed' : `the proxy responded with status ${status}`;
  return new TransferError('NETWORK_PROXY', text, { transient: false, status });
}
