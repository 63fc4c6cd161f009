import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { needs } from './needs.ts';
import { account, connect, TinyproxyRig } from './tinyproxy-rig.ts';

const real = needs('engine', 'registry');

const login = `Proxy-Authorization: Basic ${account}\r\n`;

/** Bodies whose end two programs may see in different places, with a second request after it. */
const ambiguousBodies = {
  'Chunked in capitals (CVE-2026-31842)':
    'Transfer-Encoding: Chunked\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n',
  'two encodings of the length (CVE-2026-54387)':
    'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n',
  'two lengths (CVE-2026-54388)':
    'Content-Length: 0\r\nContent-Length: 26\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n',
};

/**
 * The published flaws of tinyproxy up to 1.11.3 (docs/decisions/0052-tinyproxy.md). The image of the
 * tests contains a version with these flaws, so the tests show what the configuration prevents.
 */
real.describe('the advisories of tinyproxy', () => {
  let rig: TinyproxyRig;
  let upstream: Upstream;

  beforeEach(async () => {
    rig = await TinyproxyRig.prepare(real);
    upstream = await Upstream.start();
  });
  afterEach(async () => {
    await rig.remove();
    await upstream.close();
  });

  const start = (more: Record<string, unknown> = {}) =>
    rig.start({ route: { mode: 'http-proxy', url: upstream.url }, ...more });

  it.each(Object.entries(ambiguousBodies))(
    'reads no body of a client without the password: %s',
    async (_what, body) => {
      const port = await start();
      const answer = await send(port, `POST http://api.openai.com/ HTTP/1.1\r\n${body}`);
      // The unread body resets the connection, which may overtake the response.
      expect(answer).toMatch(/^$|^HTTP\/1\.\d 407 /);
      expect(upstream.received).toEqual([]);
    },
  );

  it.each(Object.entries(ambiguousBodies))(
    'sends each request over a connection of its own, to be closed after it: %s',
    async (_what, body) => {
      const port = await start();
      await send(port, `POST http://api.openai.com/ HTTP/1.1\r\n${login}${body}`);
      await send(port, `GET http://api.openai.com/second HTTP/1.1\r\n${login}\r\n`);
      const [first = '', second = ''] = upstream.received;
      expect(upstream.received).toHaveLength(2);
      for (const head of [first, second]) {
        expect(head.match(/^connection: close\r$/gim)).toHaveLength(1);
      }
      expect(second.split('\r\n')[0]).toBe('GET http://api.openai.com:80/second HTTP/1.1');
    },
  );

  it('serves other clients while one sends a chunk of the largest size (CVE-2026-3945)', async () => {
    const port = await start();
    const head = `POST http://api.openai.com/slow HTTP/1.1\r\n${login}Transfer-Encoding: chunked\r\n\r\n`;
    const hostile = createConnection({ host: '127.0.0.1', port }).on('error', () => {});
    hostile.write(`${head}7fffffffffffffff\r\n${'x'.repeat(100_000)}`);
    await expect.poll(() => upstream.received.length).toBe(1);
    expect(await connect(port, 'api.openai.com:443', account)).toBe(503);
    hostile.destroy();
  });

  it.each([{}, { domains: 'any' }, { domains: 'any', open: 'i-understand' }])(
    'shows its statistics to no client, with %o (CVE-2026-55202)',
    async (tinyproxy) => {
      const port = await start({ tinyproxy });
      for (const host of [
        'tinyproxy.stats',
        'tinyproxy.stats:80',
        'tinyproxy.stats.',
        '-',
        '-:80',
      ]) {
        for (const target of ['/', `http://${host}/`, 'http://api.openai.com/']) {
          for (const header of ['', login]) {
            const answer = await send(
              port,
              `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n${header}\r\n`,
            );
            expect(answer, `${target} of ${host}`).not.toMatch(/^HTTP\/1\.\d 200 /);
          }
        }
      }
    },
  );
});

/** Sends bytes and returns what arrives until the proxy closes or resets the connection. */
async function send(port: number, text: string): Promise<string> {
  const socket = createConnection({ host: '127.0.0.1', port });
  let answer = '';
  socket.on('data', (bytes) => {
    answer += bytes.toString('latin1');
  });
  socket.on('error', () => {}).write(text);
  await new Promise((resolve) => socket.once('close', resolve));
  return answer;
}

/**
 * An upstream proxy that records the request of each connection, answers it and closes. It never
 * answers a request for `/slow`.
 */
class Upstream {
  readonly url: string;
  /** The head of the first request of each connection, without CONNECT. */
  readonly received: string[] = [];
  readonly #close: () => Promise<void>;

  private constructor(url: string, close: () => Promise<void>) {
    this.url = url;
    this.#close = close;
  }

  static async start(): Promise<Upstream> {
    const sockets = new Set<Socket>();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const upstream = new Upstream(`http://127.0.0.1:${port}`, async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    });
    server.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
      let head = '';
      socket.on('data', (bytes) => {
        if (head.includes('\r\n\r\n')) return;
        head += bytes.toString('latin1');
        const end = head.indexOf('\r\n\r\n');
        if (end === -1) return;
        if (!head.startsWith('CONNECT')) upstream.received.push(head.slice(0, end + 2));
        if (!head.includes('/slow ')) socket.end('HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n');
      });
    });
    return upstream;
  }

  close(): Promise<void> {
    return this.#close();
  }
}
