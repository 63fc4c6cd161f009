import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { throughProxy } from '#probe/exchange/ssh-through-proxy.ts';
import { HttpProxy } from '../../../../faulty-server/http-proxy.ts';
import { SocksProxy } from '../../../../faulty-server/socks-proxy.ts';

const banner = 'SSH-2.0-OpenSSH_10.0\r\n';
/** A server that speaks first, answers and ends, as sshd does. */
let server: Server;
let closers: Array<() => Promise<void>>;

beforeEach(async () => {
  closers = [];
  server = createServer((socket) => {
    socket.write(banner);
    socket.once('data', (chunk) => socket.end(`heard ${chunk}`));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterEach(async () => {
  server.close();
  for (const close of closers) await close();
});

const names = { 'server.invalid': '127.0.0.1' };
const login = 'me:secret';
const proxies = {
  http: async () => {
    const proxy = await HttpProxy.start({ names, login });
    closers.push(() => proxy.close());
    return proxy.url.replace('//', `//${login}@`);
  },
  socks5: async () => {
    const proxy = await SocksProxy.start({ names, login });
    closers.push(() => proxy.close());
    return `socks5h://${login}@${proxy.host}`;
  },
};

describe('a connection of ssh through a proxy', () => {
  it.each(Object.entries(proxies))('keeps what the server says first: %s', async (_kind, start) => {
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    const { port } = server.address() as AddressInfo;
    stdin.write('SSH-2.0-me');
    const printed = text(stdout);
    await throughProxy({ host: 'server.invalid', port }, await start(), { stdin, stdout });
    stdout.end();
    expect(await printed).toBe(`${banner}heard SSH-2.0-me`);
  });

  it('fails without the login', async () => {
    const url = (await proxies.http()).replace(login, 'me:wrong');
    const streams = { stdin: new PassThrough(), stdout: new PassThrough() };
    await expect(
      throughProxy({ host: 'server.invalid', port: 22 }, url, streams),
    ).rejects.toMatchObject({
      code: 'NETWORK_PROXY',
    });
  });
});
