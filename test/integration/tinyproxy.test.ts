import { createConnection } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { HttpProxy } from '../faulty-server/http-proxy.ts';
import { SocksProxy } from '../faulty-server/socks-proxy.ts';
import { needs } from './needs.ts';
import { account, connect, TinyproxyRig } from './tinyproxy-rig.ts';

const real = needs('engine', 'registry');
const login = 'me:a-proxy-p4ssword';

/** The real tinyproxy with a server's files, and with its upstream proxies. */
real.describe('tinyproxy', () => {
  let rig: TinyproxyRig;
  const start = (site: Record<string, unknown>) => rig.start(site);

  beforeEach(async () => {
    rig = await TinyproxyRig.prepare(real);
  });
  afterEach(() => rig.remove());

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
