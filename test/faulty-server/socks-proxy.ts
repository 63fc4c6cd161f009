import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

const noAuthentication = 0;
const usernamePassword = 2;

/** A SOCKS5 proxy on loopback (RFC 1928, RFC 1929) with CONNECT to IPv4 addresses and names. */
export class SocksProxy {
  readonly host: string;
  /** `host:port` of every CONNECT. */
  readonly asked: string[] = [];
  readonly #close: () => Promise<void>;

  private constructor(host: string, close: () => Promise<void>) {
    this.host = host;
    this.#close = close;
  }

  /**
   * `login` is `user:password`; unknown `names` are rejected. Listens on `address`, by default
   * loopback.
   */
  static async start(
    options: { login?: string; names?: Readonly<Record<string, string>>; address?: string } = {},
  ) {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      void serveClient(socket, options.login, (target, port) => {
        proxy.asked.push(`${target}:${port}`);
        return options.names?.[target] ?? (/^[\d.]+$/.test(target) ? target : undefined);
      });
    });
    const { address = '127.0.0.1' } = options;
    await new Promise<void>((resolve) => server.listen(0, address, resolve));
    const { port } = server.address() as AddressInfo;
    const proxy = new SocksProxy(`${address}:${port}`, async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    });
    return proxy;
  }

  close(): Promise<void> {
    return this.#close();
  }
}

/** On loopback, each message of the client arrives as one chunk. */
async function serveClient(
  socket: Socket,
  login: string | undefined,
  resolve: (target: string, port: number) => string | undefined,
): Promise<void> {
  await nextMessage(socket);
  socket.write(Buffer.from([5, login === undefined ? noAuthentication : usernamePassword]));
  if (login !== undefined) {
    const message = await nextMessage(socket);
    const nameEnd = 2 + (message[1] ?? 0);
    const given = `${message.subarray(2, nameEnd)}:${message.subarray(nameEnd + 1)}`;
    socket.write(Buffer.from([1, given === login ? 0 : 1]));
    if (given !== login) return;
  }
  const message = await nextMessage(socket);
  const target =
    message[3] === 1
      ? message.subarray(4, 8).join('.')
      : message.subarray(5, 5 + (message[4] ?? 0)).toString();
  const address = resolve(target, message.readUInt16BE(message.length - 2));
  const reply = (code: number) => socket.write(Buffer.from([5, code, 0, 1, 0, 0, 0, 0, 0, 0]));
  if (address === undefined) {
    reply(4);
    return;
  }
  const upstream = connect(message.readUInt16BE(message.length - 2), address, () => {
    reply(0);
    upstream.pipe(socket).pipe(upstream);
  });
  upstream.on('error', () => socket.destroy());
  socket.on('close', () => upstream.destroy());
}

function nextMessage(socket: Socket): Promise<Buffer> {
  return new Promise((resolve) => socket.once('data', resolve));
}
