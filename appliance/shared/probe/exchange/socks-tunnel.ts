import type { Socket } from 'node:net';
import { LandfallError } from '#contract/errors.ts';
import type { ProxyServer } from '#http/proxy.ts';
import { timedOut } from './socket-event.ts';

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
 * @returns the connection, which then leads to the target
 * @throws LandfallError NETWORK_PROXY if the proxy refuses; Error with `code` after a timeout
 */
export async function socksTunnel(
  socket: Socket,
  { username, password }: ProxyServer,
  { host, port }: { readonly host: string; readonly port: number },
  timeout: number,
): Promise<Socket> {
  const intake = new SocksIntake(socket);
  const timer = setTimeout(() => socket.destroy(timedOut()), timeout);
  try {
    const method = username === '' ? noLogin : withPassword;
    socket.write(Buffer.from([5, 1, method]));
    const [version, chosen] = await intake.take(2);
    if (version !== 5) throw refusal('the server is not a SOCKS5 proxy');
    if (chosen !== method) throw refusal('authentication failed');
    if (method === withPassword) {
      socket.write(Buffer.concat([Buffer.from([1]), text(username), text(password)]));
      if ((await intake.take(2))[1] !== 0) throw refusal('authentication failed');
    }
    const end = Buffer.from([port >> 8, port & 255]);
    socket.write(Buffer.concat([Buffer.from([5, 1, 0, 3]), text(host), end]));
    const [, reply = 1, , kind] = await intake.take(4);
    if (reply !== 0) throw refusal(replies[reply] ?? 'the proxy rejected the connection');
    const length = kind === 1 ? 4 : kind === 4 ? 16 : ((await intake.take(1))[0] ?? 0);
    await intake.take(length + 2);
    return socket;
  } catch (cause) {
    socket.destroy();
    throw cause;
  } finally {
    clearTimeout(timer);
    intake.release();
  }
}

/** Returns a text with its length before it. @throws LandfallError NETWORK_PROXY beyond 255 bytes */
function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  if (bytes.length > 255) throw refusal('a host name or login is longer than 255 bytes');
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

function refusal(reason: string): LandfallError {
  return new LandfallError('NETWORK_PROXY', reason);
}

/** More than all replies together. Bytes. */
const max = 1024;

/** Reads the replies of a SOCKS proxy, which are shorter than TCP segments and may arrive in parts. */
class SocksIntake {
  readonly #socket: Socket;
  #bytes = Buffer.alloc(0);
  #wake: () => void = () => {};
  #failure: Error | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket
      .on('data', this.#add)
      .on('error', this.#fail)
      .on('close', this.#fail)
      .on('end', this.#fail);
  }

  /** Reads exactly this many bytes. @throws Error if the connection ends before */
  async take(count: number): Promise<Buffer> {
    while (this.#bytes.length < count) {
      if (this.#failure !== undefined) throw this.#failure;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
    const taken = this.#bytes.subarray(0, count);
    this.#bytes = this.#bytes.subarray(count);
    return taken;
  }

  /** Stops reading, so that the connection can be used for another protocol. */
  release(): void {
    const socket = this.#socket;
    socket.pause().off('data', this.#add).off('error', this.#fail);
    socket.off('close', this.#fail).off('end', this.#fail);
    // A server that speaks first, such as sshd, may be faster than this program.
    if (this.#bytes.length > 0) socket.unshift(this.#bytes);
  }

  readonly #add = (chunk: Buffer) => {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    if (this.#bytes.length > max) this.#socket.destroy();
    this.#wake();
  };

  readonly #fail = (cause?: unknown) => {
    this.#failure ??=
      cause instanceof Error
        ? cause
        : Object.assign(new Error('connection lost'), { code: 'ECONNRESET' });
    this.#wake();
  };
}
