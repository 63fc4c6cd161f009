import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { type AddressInfo, createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { renderTinyproxy } from '../../appliance/stack/components/tinyproxy/configuration.ts';
import { stackInput } from '../appliance/stack/stack-input.ts';
import { HttpProxy } from '../faulty-server/http-proxy.ts';
import { SocksProxy } from '../faulty-server/socks-proxy.ts';
import { needs } from './needs.ts';

const real = needs('engine', 'registry');
const login = 'me:a-proxy-p4ssword';

/** The real tinyproxy with a server's files, and with its upstream proxies. */
real.describe('tinyproxy', () => {
  let folder: string;
  let container: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'landfall-tinyproxy-'));
    container = '';
  });
  afterEach(async () => {
    if (container) await docker('rm', '--force', container);
    await rm(folder, { recursive: true, force: true });
  });

  async function docker(...args: string[]): Promise<string> {
    const env = { DOCKER_HOST: `unix://${real.engine}` };
    return (await execa('docker', args, { env })).stdout;
  }

  /** Starts it on a separate port in the network of this machine. Returns the port. */
  async function start(site: Record<string, unknown>): Promise<number> {
    const port = await freePort();
    for (const { path, content, owner } of renderTinyproxy(stackInput(site))) {
      const file = join(folder, path.replace('tinyproxy/', ''));
      await writeFile(file, content.replace('Port 8888', `Port ${port}`), { mode: 0o400 });
      await chown(file, owner || 57981, owner || 57981);
    }
    await execa('chmod', ['755', folder]);
    const image = `${real.registry}/kalaksi/tinyproxy:1.7`;
    await docker('pull', '--quiet', image);
    container = await docker(
      ...['run', '--detach', '--network', 'host', '--user', '57981:57981', '--cap-drop', 'ALL'],
      ...['--read-only', '--volume', `${folder}:/etc/tinyproxy:ro`, '--entrypoint', 'tinyproxy'],
      ...[image, '-d', '-c', '/etc/tinyproxy/tinyproxy.conf'],
    );
    const answers = () => connect(port, 'nowhere.invalid:443').catch(() => 0);
    try {
      await expect.poll(answers, { timeout: 60_000 }).not.toBe(0);
    } catch (cause) {
      throw new Error(await docker('logs', container), { cause });
    }
    return port;
  }

  it("uses the site's upstream proxy for a listed host, with the password of that proxy", async () => {
    const proxy = await HttpProxy.start({ login, refusal: 503 });
    const url = proxy.url.replace('//', `//${login}@`);
    try {
      const port = await start({ route: { mode: 'http-proxy', url } });
      await connect(port, 'api.openai.com:443', account);
      expect(proxy.asked).toEqual(['CONNECT api.openai.com:443']);
    } finally {
      await proxy.close();
    }
  });

  it('supports a SOCKS5 upstream', async () => {
    const proxy = await SocksProxy.start({ login });
    try {
      const port = await start({
        route: { mode: 'socks5', url: `socks5h://${login}@${proxy.host}` },
      });
      // The fake upstream does not resolve the name, and tinyproxy closes the connection.
      await expect(connect(port, 'api.openai.com:443', account)).rejects.toThrow('hang up');
      expect(proxy.asked).toEqual(['api.openai.com:443']);
    } finally {
      await proxy.close();
    }
  });

  it('requires no password when the site allows that explicitly', async () => {
    const proxy = await HttpProxy.start({ refusal: 503 });
    try {
      const route = { mode: 'http-proxy', url: proxy.url };
      const port = await start({ route, tinyproxy: { open: 'i-understand' } });
      await connect(port, 'api.openai.com:443');
      expect(proxy.asked).toEqual(['CONNECT api.openai.com:443']);
    } finally {
      await proxy.close();
    }
  });

  it('connects anywhere except to internal addresses and names, when the site allows that', async () => {
    const proxy = await HttpProxy.start({ refusal: 503 });
    try {
      const route = { mode: 'http-proxy', url: proxy.url };
      const port = await start({ route, tinyproxy: { domains: 'any' } });
      for (const host of inside) {
        expect(await connect(port, `${host}:443`, account), host).toBe(403);
        expect(await get(port, `http://${host}/`), host).toBe(403);
        expect(await get(port, '/', host), host).toBe(403);
      }
      await connect(port, 'example.com:443', account);
      await connect(port, 'example.com.:443', account);
      expect(proxy.asked).toEqual(['CONNECT example.com:443', 'CONNECT example.com.:443']);
    } finally {
      await proxy.close();
    }
  });

  it.each([{ domains: 'any' }, { domains: ['example.com'] }])(
    'connects only to web ports, for every method, with %o',
    async (tinyproxy) => {
      // It rejects every request, so nothing reaches the upstream.
      const proxy = await HttpProxy.start({ login });
      try {
        const route = { mode: 'http-proxy', url: proxy.url };
        const port = await start({ route, tinyproxy });
        for (const url of [
          'http://example.com:22/',
          'http://example.com:25/x',
          'http://example.com:8080',
          'http://example.com: 22/',
          'http://example.com:0x16/',
          'http://example.com:22/@example.com:80/',
          'http://example.com@169.254.169.254/',
          'http://169.254.169.254#@example.com/',
          'ftp://example.com/',
        ]) {
          expect([400, 403], url).toContain(await get(port, url));
        }
        expect(await get(port, '/x', 'example.com:22')).toBe(403);
        expect(await connect(port, 'example.com:22', account)).toBe(403);
        expect(await connect(port, 'relay/example.com:443', account)).toBe(403);
        expect(await connect(port, 'relay://example.com/', account)).toBe(403);
        expect(proxy.asked).toEqual([]);
        await get(port, 'http://example.com/a');
        await get(port, 'HTTP://EXAMPLE.com:80/b?c=:22');
        await get(port, '/d', 'example.com');
        expect(proxy.asked).toHaveLength(3);
      } finally {
        await proxy.close();
      }
    },
  );

  it("accepts clients of the site's list, and no others", async () => {
    const port = await start({ tinyproxy: { allow: ['192.0.2.0/24'] } });
    // The health check comes from this address.
    expect(await connect(port, 'nowhere.invalid:443')).toBe(407);
    expect(await connect(port, 'nowhere.invalid:443', account, '127.0.0.2')).toBe(403);
  });
});

const account = Buffer.from('secret-of-tinyproxy_username:secret-of-tinyproxy_password').toString(
  'base64',
);

/** Names and addresses of this server, its network or a neighbouring container. */
const inside = [
  ...['169.254.169.254', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376.', '[::1]'],
  ...['engine', 'relay.', 'RELAY.', 'relay.landfall_outside', 'landfall-relay.landfall_outside.'],
  ...['a.internal', 'printer.local.', 'localhost'],
];

/** Returns the status of a GET for a URL, or for a path of the host in the client's header. */
async function get(port: number, path: string, host = 'example.com'): Promise<number> {
  const headers = { host, 'proxy-authorization': `Basic ${account}` };
  const socket = createConnection({ host: '127.0.0.1', port });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}connection: close\r\n\r\n`);
  const answer = (await socket.toArray()).join('');
  return Number(/^HTTP\/1\.\d (\d+)/.exec(answer)?.[1]);
}

/** Returns the status of CONNECT. */
async function connect(
  port: number,
  target: string,
  authorization?: string,
  from = '127.0.0.1',
): Promise<number> {
  const headers = authorization ? { 'proxy-authorization': `Basic ${authorization}` } : {};
  const sent = request({
    ...{ host: '127.0.0.1', port, localAddress: from, method: 'CONNECT', path: target },
    ...{ headers, agent: false },
  }).end();
  return await new Promise((resolve, reject) => {
    sent.once('error', reject).once('connect', (response, socket) => {
      socket.destroy();
      resolve(response.statusCode ?? 0);
    });
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
