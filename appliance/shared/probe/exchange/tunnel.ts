import { request } from 'node:http';
import type { Socket } from 'node:net';
import { LandfallError } from '#contract/errors.ts';
import type { ProxyServer } from '#http/proxy.ts';
import { TransferError } from '#http/transfer-error.ts';
import { timedOut } from './socket-event.ts';

/**
 * Requests a tunnel from an HTTP proxy (RFC 9110, 9.3.6).
 * @param speaksFirst whether the target may send before the client, as SSH does and TLS does not
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

function refusal(status: number): TransferError {
  const text =
    status === 407 ? 'authentication failed' : `the proxy responded with status ${status}`;
  return new TransferError('NETWORK_PROXY', text, { transient: false, status });
}

/** Methods and reply codes of RFC 1928 and RFC 1929. */
const [noLogin, withPassword] = [0, 2];
const replies: Readonly<Record<number, string>> = {
  2: 'the rules of the proxy do not allow the connection',
  3: 'the proxy cannot reach the network',
  4: 'the proxy cannot reach the host',
  5: 'the host refused the connection of the proxy',
  6: 'the connection of the proxy timed out',
};

/**
 * Requests a connection from a SOCKS5 proxy, which resolves the host name.
 * @throws LandfallError NETWORK_PROXY if the proxy refuses; Error with `code` after a timeout
 */
export async function socksTunnel(
  socket: Socket,
  { username, password }: ProxyServer,
  { host, port }: { readonly host: string; readonly port: number },
  timeout: number,
): Promise<Socket> {
  const chunks = socket.iterator({ destroyOnReturn: false });
  let bytes = Buffer.alloc(0);
  // Replies are shorter than TCP segments, and may arrive in parts.
  const take = async (count: number) => {
    while (bytes.length < count) {
      const { value, done } = await chunks.next();
      if (done) throw Object.assign(new Error('connection lost'), { code: 'ECONNRESET' });
      bytes = Buffer.concat([bytes, value]);
    }
    const taken = bytes.subarray(0, count);
    bytes = bytes.subarray(count);
    return taken;
  };
  const timer = setTimeout(() => socket.destroy(timedOut()), timeout);
  try {
    const method = username === '' ? noLogin : withPassword;
    socket.write(Buffer.from([5, 1, method]));
    const [version, chosen] = await take(2);
    if (version !== 5) throw socksRefusal('the server is not a SOCKS5 proxy');
    if (chosen !== method) throw socksRefusal('authentication failed');
    if (method === withPassword) {
      socket.write(Buffer.concat([Buffer.from([1]), text(username), text(password)]));
      if ((await take(2))[1] !== 0) throw socksRefusal('authentication failed');
    }
    const end = Buffer.from([port >> 8, port & 255]);
    socket.write(Buffer.concat([Buffer.from([5, 1, 0, 3]), text(host), end]));
    const [, reply = 1, , kind] = await take(4);
    if (reply !== 0) throw socksRefusal(replies[reply] ?? 'the proxy rejected the connection');
    const length = kind === 1 ? 4 : kind === 4 ? 16 : ((await take(1))[0] ?? 0);
    await take(length + 2);
    await chunks.return?.();
    // A server that speaks first, such as sshd, may be faster than this program.
    if (bytes.length > 0) socket.unshift(bytes);
    return socket;
  } catch (cause) {
    socket.destroy();
    throw cause;
  } finally {
    clearTimeout(timer);
  }
}

/** Returns a text with its length before it. @throws LandfallError NETWORK_PROXY beyond 255 bytes */
function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  if (bytes.length > 255) throw socksRefusal('a host name or login is longer than 255 bytes');
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

function socksRefusal(reason: string): LandfallError {
  return new LandfallError('NETWORK_PROXY', reason);
}
