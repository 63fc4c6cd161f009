import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { planted, type Received, type Vendor, vendorPaths, vendors } from './vendors.ts';

type VendorName = keyof typeof vendors;

/** A stand-in for the receiver of a vendor, by default on loopback. */
export class Receiver {
  readonly origin: string;
  /** Texts of accepted messages. */
  readonly accepted: string[] = [];
  readonly received: Received[] = [];
  readonly #close: () => Promise<void>;

  private constructor(origin: string, close: () => Promise<void>) {
    this.origin = origin;
    this.#close = close;
  }

  static async start(
    name: VendorName,
    vendor: Vendor = vendors[name],
    address = '127.0.0.1',
  ): Promise<Receiver> {
    const server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request.setEncoding('utf8')) body += chunk;
      const { method = '', headers } = request;
      const received = { method, headers, body, url: new URL(request.url ?? '/', receiver.origin) };
      receiver.received.push(received);
      const reply = vendor(received);
      if (reply.accepted !== undefined) receiver.accepted.push(reply.accepted);
      const isText = typeof reply.body === 'string';
      const type = isText ? 'text/plain' : 'application/json';
      const content = isText ? reply.body : JSON.stringify(reply.body);
      response.writeHead(reply.status, { 'content-type': type }).end(content);
    });
    const sockets = new Set<Socket>();
    server.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, address, resolve));
    const { port } = server.address() as AddressInfo;
    const receiver = new Receiver(`http://${address}:${port}`, async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    });
    return receiver;
  }

  close(): Promise<void> {
    return this.#close();
  }
}

/** Returns the target of a vendor in a site, and its secrets as files of a server. */
export function targetFor(kind: VendorName, origin: string) {
  const folder = 'etc/landfall/secrets';
  if (kind === 'telegram') {
    return {
      target: { kind, chat: '-1001', api: origin },
      files: { [`${folder}/alert-telegram-token`]: `${planted.bot}\n` },
    };
  }
  const isSigned = kind === 'feishu' || kind === 'dingtalk';
  return {
    target: { kind },
    files: {
      [`${folder}/alert-${kind}-url`]: `${origin}${vendorPaths[kind]}\n`,
      ...(isSigned ? { [`${folder}/alert-${kind}-sign`]: `${planted.sign}\n` } : {}),
      ...(kind === 'ntfy' ? { [`${folder}/alert-ntfy-token`]: `${planted.access}\n` } : {}),
    },
  };
}
