import { mkdtemp, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CertificateAuthority } from '../../faulty-server/certificates.ts';
import { cutAfter, inTurn, redirect, serve } from '../../faulty-server/faults.ts';
import {
  FaultyServer,
  type Handler,
  type ServerOptions,
} from '../../faulty-server/faulty-server.ts';
import { HttpProxy } from '../../faulty-server/http-proxy.ts';
import { SocksProxy } from '../../faulty-server/socks-proxy.ts';
import { workFolder } from '../../simulator/work-folder.ts';
import { FreshServer } from './fresh-server.ts';
import { installable, pinOf } from './installable.ts';

/** Each test boots at least one server, which is slow on a busy machine. */
vi.setConfig({ testTimeout: 300_000 });

const bundle = installable();
const pin = pinOf(bundle);
const folder = await workFolder();
const authority = new CertificateAuthority();
/** A name that only the proxy can resolve. */
const hiddenName = 'downloads.landfall.test';
const password = 'p%40ss:w/rd';
const login = `me:${password}`;
const encoded = `me:${encodeURIComponent(password)}`;

const running: Array<{ close(): Promise<void> }> = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});
function kept<Server extends { close(): Promise<void> }>(server: Server): Server {
  running.push(server);
  return server;
}

async function web(handler: Handler, options?: ServerOptions): Promise<FaultyServer> {
  return kept(await FaultyServer.start(handler, options));
}

async function boot(sources: readonly string[], route: Record<string, unknown>) {
  const server = new FreshServer(await mkdtemp(join(folder, 'root-')));
  const file = join(folder, 'authority.pem');
  await writeFile(file, authority.cert);
  await server.paste({ sources, pin, route });
  return server.boot({ env: { SSL_CERT_FILE: file } });
}

const viaHttp = (proxy: HttpProxy, user = encoded, more = {}) => ({
  mode: 'http-proxy',
  url: proxy.url.replace('//', `//${user}@`),
  ...more,
});
const viaSocks = (proxy: SocksProxy, user = encoded, more = {}) => ({
  mode: 'socks5',
  url: `socks5h://${user}@${proxy.host}`,
  ...more,
});

describe('a redirect to another protocol', () => {
  it('refuses a redirect to another protocol, because it would bypass the proxy', async () => {
    let connections = 0;
    const ftp = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => ftp.listen(0, '127.0.0.1', resolve));
    kept({ close: async () => void ftp.close() });
    const { port } = ftp.address() as AddressInfo;
    const source = await web(redirect(`ftp://127.0.0.1:${port}/landfall-1.2.0-amd64.tar`));
    const proxy = kept(await HttpProxy.start({ login }));
    const { exitCode, output } = await boot([source.origin], viaHttp(proxy));
    expect({ exitCode, output }).toMatchObject({ exitCode: 1 });
    expect(output).toContain('unknown url type: ftp');
    expect(connections).toBe(0);
  });
});

describe('an HTTP proxy that requires a login', () => {
  it('receives plain HTTP requests', async () => {
    const source = await web(serve(bundle));
    const proxy = kept(await HttpProxy.start({ login }));
    const { exitCode, output } = await boot([source.origin], viaHttp(proxy));
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
    expect(proxy.asked[0]).toBe(`GET ${source.origin}/landfall-1.2.0-amd64.tar`);
    expect(source.seen()).not.toEqual([]);
    expect(source.seen().every(({ headers }) => headers['proxy-authorization'] === undefined)).toBe(
      true,
    );
  });

  it('tunnels https, and interrupted downloads are resumed through the tunnel', async () => {
    const handler = inTurn(cutAfter(100_000, bundle), serve(bundle));
    const source = await web(handler, { tls: authority.issue() });
    const proxy = kept(await HttpProxy.start({ login }));
    const { exitCode, output } = await boot([source.origin], viaHttp(proxy));
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
    expect(new Set(proxy.asked)).toEqual(new Set([`CONNECT ${source.host}`]));
  });

  it('causes an error without the password when the login is wrong', async () => {
    const source = await web(serve(bundle), { tls: authority.issue() });
    const proxy = kept(await HttpProxy.start({ login }));
    const { exitCode, output } = await boot([source.origin], viaHttp(proxy, 'me:s3cret-guess'));
    expect(exitCode).toBe(1);
    expect(output).toContain('407');
    expect(output).not.toContain('s3cret');
  });

  it('bypasses the HTTP proxy for a host in no_proxy', async () => {
    const source = await web(serve(bundle));
    const proxy = kept(await HttpProxy.start({ login }));
    const route = viaHttp(proxy, encoded, { no_proxy: ['127.0.0.0/8'] });
    expect((await boot([source.origin], route)).exitCode).toBe(0);
    expect(proxy.asked).toEqual([]);
  });
});

describe('a SOCKS5 proxy', () => {
  it('resolves names, because local DNS answers may be forged', async () => {
    const source = await web(serve(bundle));
    const proxy = kept(await SocksProxy.start({ login, names: { [hiddenName]: '127.0.0.1' } }));
    const { port } = source.url('/');
    const { exitCode, output } = await boot([`http://${hiddenName}:${port}/`], viaSocks(proxy));
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
    expect(proxy.asked[0]).toBe(`${hiddenName}:${port}`);
  });

  it('receives addresses as addresses, and may require no login', async () => {
    const source = await web(inTurn(cutAfter(100_000, bundle), serve(bundle)));
    const proxy = kept(await SocksProxy.start());
    const { exitCode, output } = await boot([source.origin], {
      mode: 'socks5',
      url: `socks5://${proxy.host}`,
    });
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
    expect(new Set(proxy.asked)).toEqual(new Set([source.host]));
  });

  it('does not affect the verification of https certificates', async () => {
    const source = await web(serve(bundle), { tls: authority.issue() });
    const proxy = kept(await SocksProxy.start({ login }));
    expect((await boot([source.origin], viaSocks(proxy))).exitCode).toBe(0);
    const untrusted = await web(serve(bundle), { tls: new CertificateAuthority().issue() });
    expect((await boot([untrusted.origin], viaSocks(proxy))).output).toContain(
      'CERTIFICATE_VERIFY_FAILED',
    );
  });

  it.each([
    ['a rejected login', 'me:s3cret-guess', 'rejected the login'],
    ['an unknown host name', encoded, 'the SOCKS5 proxy returned error 4'],
  ])('causes an error without the password: %s', async (_what, user, message) => {
    const proxy = kept(await SocksProxy.start({ login }));
    const { exitCode, output } = await boot([`http://${hiddenName}/`], viaSocks(proxy, user));
    expect(exitCode).toBe(1);
    expect(output).toContain(message);
    expect(output).not.toContain('s3cret');
    expect(output).not.toContain('w/rd');
  });

  it('uses a SOCKS5 proxy only for its own sources', async () => {
    const far = await web(serve(Buffer.from('no bundle')));
    const near = await web(serve(bundle));
    const proxy = kept(await SocksProxy.start({ names: { [hiddenName]: '127.0.0.1' } }));
    const route = { mode: 'socks5', url: `socks5://${proxy.host}`, no_proxy: ['127.0.0.1'] };
    const sources = [`http://${hiddenName}:${far.url('/').port}/`, near.origin];
    const { exitCode, output } = await boot(sources, route);
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
    expect(proxy.asked).toEqual([`${hiddenName}:${far.url('/').port}`]);
  });
});
