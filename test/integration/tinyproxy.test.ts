import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { renderTinyproxy } from '../../appliance/stack/render-tinyproxy.ts';
import { stackInput } from '../appliance/stack/stack-input.ts';
import { HttpProxy } from '../faulty-server/http-proxy.ts';
import { SocksProxy } from '../faulty-server/socks-proxy.ts';
import { needs } from './needs.ts';

const real = needs('engine', 'registry');
const login = 'me:a-proxy-p4ssword';

/** The real tinyproxy with the files that a server makes, beside proxies that it leaves by. */
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

  /** Starts it on a port of its own in the network of this machine; gives the port. */
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

  it('takes the way of the site to a place on its list, with the password of that way', async () => {
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

  it('takes a SOCKS5 way as well', async () => {
    const proxy = await SocksProxy.start({ login });
    try {
      const port = await start({
        route: { mode: 'socks5', url: `socks5h://${login}@${proxy.host}` },
      });
      // What stands for the way knows no such name, and tinyproxy hangs up then.
      await expect(connect(port, 'api.openai.com:443', account)).rejects.toThrow('hang up');
      expect(proxy.asked).toEqual(['api.openai.com:443']);
    } finally {
      await proxy.close();
    }
  });

  it('asks nobody for a password when the site understands what that means', async () => {
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

  it('goes anywhere but to addresses and names of the inside, when the site wants that', async () => {
    const proxy = await HttpProxy.start({ refusal: 503 });
    try {
      const route = { mode: 'http-proxy', url: proxy.url };
      const port = await start({ route, tinyproxy: { domains: 'any' } });
      const statuses = await Promise.all(
        ['169.254.169.254', '2852039166', '0xa9fea9fe', '[::1]', 'engine', 'a.internal'].map(
          (host) => connect(port, `${host}:443`, account),
        ),
      );
      expect(statuses).toEqual([403, 403, 403, 403, 403, 403]);
      await connect(port, 'example.com:443', account);
      expect(proxy.asked).toEqual(['CONNECT example.com:443']);
    } finally {
      await proxy.close();
    }
  });

  it('lets in whom the site names, and nobody else', async () => {
    const port = await start({ tinyproxy: { allow: ['192.0.2.0/24'] } });
    // The health check comes from here.
    expect(await connect(port, 'nowhere.invalid:443')).toBe(407);
    expect(await connect(port, 'nowhere.invalid:443', account, '127.0.0.2')).toBe(403);
  });
});

const account = Buffer.from('secret-of-tinyproxy_username:secret-of-tinyproxy_password').toString(
  'base64',
);

/** The status that CONNECT gets. */
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
