import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pageServer } from '../../../../../appliance/server/progress/page/page-server.ts';

let folder: string;
let server: Server;
let port: number;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'landfall-page-'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html>first');
  writeFileSync(join(folder, 'secret'), 'a secret beside it');
  server = pageServer(join(folder, 'index.html')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

/** Sends raw bytes and returns the response up to the end of the connection. */
async function raw(request: string | Buffer): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(request);
  return await text(socket).catch(() => '');
}

const statusLine = (answer: string) => answer.split('\r\n')[0];

const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

describe('pageServer', () => {
  it('serves the page', async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(answer.headers.get('server')).toBeNull();
    expect(await answer.text()).toBe('<!doctype html>first');
  });

  it('serves the current content of the file', async () => {
    writeFileSync(join(folder, 'index.html'), 'second');
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('second');
  });

  it('answers HEAD', async () => {
    const answer = await raw('HEAD / HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(statusLine(answer)).toBe('HTTP/1.1 200 OK');
    expect(answer).toContain('Content-Length: 20');
    expect(answer).not.toContain('doctype');
  });

  it('answers HTTP/1.0 clients', async () => {
    expect(await raw('GET / HTTP/1.0\r\n\r\n')).toContain('<!doctype html>first');
  });

  it.each([
    '/secret',
    '/../secret',
    '/%2e%2e/secret',
    '//etc/passwd',
    '/index.html%00',
    '/?file=/etc/passwd',
    'http://elsewhere/secret',
    `/${'a'.repeat(4000)}`,
  ])('serves only the page at %s', async (path) => {
    const answer = await raw(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(answer).toContain('<!doctype html>first');
    expect(answer).not.toMatch(/a secret|root:/);
  });

  it('closes the connection after one response', async () => {
    const answer = await raw(get);
    expect(answer).toMatch(/^HTTP\/1\.1 200 .*^connection: close\r$/ims);
  });

  it('returns 503 if the page is missing', async () => {
    rmSync(join(folder, 'index.html'));
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(await answer.text()).toBe('');
  });

  it('limits the size of the page', async () => {
    writeFileSync(join(folder, 'index.html'), Buffer.alloc(1 << 20, 'a'));
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toHaveLength(64 << 10);
  });
});

describe('what pageServer rejects', () => {
  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PATCH', 'PROPFIND'])(
    '%s',
    async (method) => {
      const answer = await raw(`${method} / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`);
      expect(statusLine(answer)).toBe('HTTP/1.1 405 Method Not Allowed');
      expect(answer).toContain('Allow: GET, HEAD');
    },
  );

  it('ignores the request path and host', async () => {
    expect(await raw('CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n')).not.toContain('200');
  });

  it('rejects Expect: 100-continue', async () => {
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n';
    expect(statusLine(await raw(head))).toBe('HTTP/1.1 417 Expectation Failed');
  });

  it('rejects protocol upgrades', async () => {
    const upgrade =
      'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
    expect(await raw(upgrade)).not.toContain('101');
  });

  it.each([
    ['bytes that are not HTTP', Buffer.from('\x16\x03\x01\x02\x00\x01\x00')],
    ['an endless header', `GET / HTTP/1.1\r\nX: ${'a'.repeat(20_000)}`],
    ['two lengths', 'GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
    [
      'a length and chunks',
      'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    ],
  ])('rejects %s', async (_case, bytes) => {
    expect(statusLine(await raw(bytes))).toMatch(/^(HTTP\/1\.1 4\d\d .*)?$/);
  });

  it('rejects requests that arrive together', async () => {
    expect(await raw(get.repeat(2000))).not.toContain('first');
  });

  it('closes silent connections', async () => {
    // The server may send an answer before it closes; unread, that would keep the socket open.
    const socket = connect(port, '127.0.0.1').resume();
    socket.on('error', () => {});
    await once(socket, 'connect');
    await once(socket, 'close');
    expect(server.listening).toBe(true);
  });

  it('limits the number of connections', async () => {
    const sockets = Array.from({ length: 100 }, () => connect(port, '127.0.0.1'));
    for (const socket of sockets) socket.on('error', () => {});
    await Promise.all(
      sockets.slice(64).map((socket) => new Promise((resolve) => socket.once('close', resolve))),
    );
    for (const socket of sockets) socket.destroy();
    expect(server.listening).toBe(true);
  });
});
