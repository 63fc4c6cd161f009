import { createHash } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { rm, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { type IncomingHttpHeaders, request, type Server } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { silentReporter } from '../../../../../builder/base/progress/reporter.ts';
import { hashFiles } from '../../../../../builder/deliver/hosting/hashed-file.ts';
import { releaseFiles } from '../../../../../builder/deliver/hosting/release-files.ts';
import { DownloadLog } from '../../../../../builder/deliver/hosting/serve/download-log.ts';
import {
  limitConnections,
  type ReleaseServer,
  startServer,
} from '../../../../../builder/deliver/hosting/serve/start-server.ts';
import { bundleOf, OutputFolder } from '../release-folder.ts';

const { tar } = OutputFolder;
const loopback = { host: '127.0.0.1', port: 0 };
const content = bundleOf(300_000);
const size = content.length;
const etag = `"${createHash('sha256').update(content).digest('hex')}"`;

let folder: OutputFolder;
let server: ReleaseServer;
const notes: string[] = [];
const log = new DownloadLog({ ...silentReporter, note: (text) => notes.push(text) });
beforeAll(async () => {
  folder = await OutputFolder.create(content);
  const files = await hashFiles(await releaseFiles(folder.path), silentReporter);
  server = await startServer({ files, log }, loopback);
});
afterAll(async () => {
  await server.close();
  await folder[Symbol.asyncDispose]();
});

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Sends a path as it is: `fetch` would normalize it. */
function get(path: string, headers = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { port } = server.address;
    request({ host: '127.0.0.1', port, path, headers, method }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      const { statusCode: status, headers: received } = response;
      resolve({ status, headers: received, body: Buffer.concat(chunks) });
    })
      .on('error', reject)
      .end();
  });
}

describe('a release server', () => {
  it('serves a whole bundle with its length and a strong validator', async () => {
    const { status, headers, body } = await get(`/${tar}`);
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'content-length': `${size}`, 'accept-ranges': 'bytes', etag });
    expect(body.equals(content)).toBe(true);
    expect(notes.at(-1)).toMatch(/^sent landfall-1\.2\.0-amd64\.tar to 127\.0\.0\.1, \d+ kB$/);
  });

  it.each([
    ['bytes=0-', 0, size - 1],
    ['bytes=100000-', 100_000, size - 1],
    ['bytes=5-9', 5, 9],
    ['bytes=-7', size - 7, size - 1],
    [`bytes=${size - 1}-${size + 50}`, size - 1, size - 1],
  ])('serves the range %s', async (range, first, last) => {
    const { status, headers, body } = await get(`/${tar}`, { range });
    expect(status).toBe(206);
    expect(headers['content-range']).toBe(`bytes ${first}-${last}/${size}`);
    expect(headers['content-length']).toBe(`${last - first + 1}`);
    expect(body.equals(content.subarray(first, last + 1))).toBe(true);
  });

  it.each([`bytes=${size}-`, `bytes=${size + 9}-${size + 10}`])(
    'rejects the range %s with the size of the file',
    async (range) => {
      const { status, headers } = await get(`/${tar}`, { range });
      expect(status).toBe(416);
      expect(headers['content-range']).toBe(`bytes */${size}`);
    },
  );

  it('resumes with If-Range only the same bytes', async () => {
    const range = 'bytes=10-';
    expect((await get(`/${tar}`, { range, 'if-range': etag })).status).toBe(206);
    const other = await get(`/${tar}`, { range, 'if-range': '"another"' });
    expect(other.status).toBe(200);
    expect(other.body.length).toBe(size);
  });

  it('answers If-None-Match of the same bytes without a body', async () => {
    expect((await get(`/${tar}`, { 'if-none-match': etag })).status).toBe(304);
  });

  it('serves the whole file for several ranges', async () => {
    const { status, body } = await get(`/${tar}`, { range: 'bytes=0-1,5-6' });
    expect([status, body.length]).toEqual([200, size]);
  });

  it('answers HEAD with the headers of GET', async () => {
    const { status, headers, body } = await get(`/${tar}`, {}, 'HEAD');
    expect([status, body.length]).toEqual([200, 0]);
    expect(headers).toMatchObject({ 'content-length': `${size}`, etag });
  });

  it('lists the files with their SHA-256 at /, and runs no scripts', async () => {
    const { status, headers, body } = await get('/');
    expect(status).toBe(200);
    expect(headers['content-security-policy']).toBe("default-src 'none'");
    expect(String(body)).toContain(`<a href="${tar}">`);
    expect(String(body)).toContain(etag.slice(1, -1));
  });

  it.each([
    ...['/release.key', '/site.yaml', `/${tar}.partial`, `/${tar}/`, '//release.key'],
    ...['/../../etc/passwd', '/%2e%2e/%2e%2e/etc/passwd', '/..%2f..%2fetc%2fpasswd', '/.', '/..'],
    ...['/%00', '/%', '/.%00/', '/__proto__', `/x/../${'a'.repeat(300)}`, '*'],
  ])('does not serve %s', async (path) => {
    const { status, body } = await get(path);
    expect(status).toBe(404);
    expect(String(body)).toBe('There is no such file.\n');
  });

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND'])('rejects %s', async (method) => {
    const { status, headers } = await get(`/${tar}`, {}, method);
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  it('rejects a header above 8 KiB', async () => {
    expect((await get('/', { 'x-long': 'x'.repeat(9_000) })).status).toBe(431);
  });

  it('accepts the URL of a request to a proxy', async () => {
    expect((await get(`http://127.0.0.1/${tar}?x=1`)).status).toBe(200);
  });

  it('serves others while five addresses hold as many connections as they get', async () => {
    await using output = await OutputFolder.create(bundleOf(24_000_000));
    const files = await hashFiles(await releaseFiles(output.path), silentReporter);
    const large = await startServer({ files, log }, { host: '0.0.0.0', port: 0 });
    const { port } = large.address;
    const sockets = Array.from({ length: 5 * 32 }, (_, index) => {
      const localAddress = `127.0.0.${2 + (index % 5)}`;
      const socket = connect({ port, host: '127.0.0.1', localAddress });
      socket.on('error', () => {});
      // Nothing is read, so each download stays open.
      socket.pause().write(`GET /${tar} HTTP/1.1\r\nhost: a\r\n\r\n`);
      return socket;
    });
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    const answer = await fetch(`http://127.0.0.1:${port}/release.pub`);
    expect(answer.status).toBe(200);
    for (const socket of sockets) socket.destroy();
    await large.close();
  });

  it('reads the file once for requests that arrive together', async () => {
    const files = await hashFiles(await releaseFiles(folder.path), silentReporter);
    const follow = vi.spyOn(DownloadLog.prototype, 'follow');
    const own = await startServer({ files, log: new DownloadLog(silentReporter) }, loopback);
    const socket = connect(own.address.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.resume().write(`GET /${tar} HTTP/1.1\r\nhost: a\r\n\r\n`.repeat(1000));
    await once(socket, 'close');
    await own.close();
    expect(follow.mock.calls.length).toBeLessThanOrEqual(1);
    follow.mockRestore();
  });

  it('notes an interrupted download', async () => {
    // Larger than the buffers of the sockets, so that it cannot end before the client does.
    await using output = await OutputFolder.create(bundleOf(24_000_000));
    const noted = Promise.withResolvers<string>();
    const own = new DownloadLog({ ...silentReporter, note: noted.resolve });
    const files = await hashFiles(await releaseFiles(output.path), silentReporter);
    const large = await startServer({ files, log: own }, loopback);
    const socket = connect(large.address.port, '127.0.0.1');
    socket.write(`GET /${tar} HTTP/1.1\r\nhost: a\r\n\r\n`);
    await new Promise((resolve) => socket.once('readable', resolve));
    socket.destroy();
    expect(await noted.promise).toMatch(/^interrupted landfall-1\.2\.0-amd64\.tar to 127\.0\.0\.1/);
    expect(own.completed).toBe(0);
    await large.close();
  });
});

describe('a file that changes while it is served', () => {
  async function serving(change: (path: string) => Promise<void>): Promise<Answer> {
    await using changing = await OutputFolder.create();
    const files = await hashFiles(await releaseFiles(changing.path), silentReporter);
    const other = await startServer({ files, log }, loopback);
    const before = server;
    server = other;
    try {
      await change(join(changing.path, tar));
      return await get(`/${tar}`);
    } finally {
      server = before;
      await other.close();
    }
  }

  it.each([
    ['a new time', (path: string) => utimes(path, 1, 1)],
    ['another size', (path: string) => truncate(path, 5)],
    [
      'a link',
      async (path: string) => {
        await rm(path);
        await symlink('/etc/passwd', path);
      },
    ],
    ['no file', (path: string) => rm(path)],
  ])('refuses to serve a changed file with %s', async (_, change) => {
    const { status, body, headers } = await serving(change);
    expect(status).toBe(404);
    expect(String(body)).toContain('has changed');
    expect(headers.etag).toBeUndefined();
    expect(notes.at(-1)).toContain('changed on disk');
  });
});

describe('startServer', () => {
  it('rejects a port that is in use', async () => {
    const { port } = server.address;
    const second = startServer({ files: [], log }, { host: '127.0.0.1', port });
    await expect(second).rejects.toMatchObject({
      code: 'USAGE',
      message: `cannot listen on 127.0.0.1:${port}: the port is in use`,
    });
  });

  it('rejects an address of another machine', async () => {
    const foreign = startServer({ files: [], log }, { host: '192.0.2.1', port: 0 });
    await expect(foreign).rejects.toMatchObject({ code: 'USAGE' });
  });
});

interface StandInSocket extends EventEmitter {
  readonly remoteAddress: string;
  isOpen: boolean;
  destroy(): void;
}

/** Connects from these addresses in turn. Returns which connections are open at the end. */
function connected(addresses: readonly string[], max: number): boolean[] {
  const server = new EventEmitter();
  limitConnections(server as Server, { max, maxPerClient: 2 });
  const sockets = addresses.map((remoteAddress) => {
    const socket: StandInSocket = Object.assign(new EventEmitter(), {
      remoteAddress,
      isOpen: true,
      destroy: () => {
        socket.isOpen = false;
        socket.emit('close');
      },
    });
    server.emit('connection', socket);
    return socket;
  });
  return sockets.map(({ isOpen }) => isOpen);
}

describe('the share of a client', () => {
  it.each([
    ['one IPv4 address', ['192.0.2.1', '192.0.2.1', '192.0.2.1'], [true, true, false]],
    ['IPv4 as IPv6', ['192.0.2.1', '::ffff:192.0.2.1', '192.0.2.1'], [true, true, false]],
    ['addresses of a /64', ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:9::'], [true, true, false]],
    ['several networks', ['2001:db8::1', '2001:db8::2', '2001:db8:0:1::1'], [true, true, true]],
    ['several addresses', ['192.0.2.1', '192.0.2.1', '192.0.2.2'], [true, true, true]],
    ['link-local addresses', ['fe80::1%eth0', 'fe80::2%eth0', 'fe80::3'], [true, true, false]],
  ])('counts %s', (_, addresses, open) => {
    expect(connected(addresses, 9)).toEqual(open);
  });
});

describe('the limit of all clients', () => {
  const [one, two, three] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'];

  it('closes the oldest connection of the client that has most', () => {
    expect(connected([two, one, one, three], 3)).toEqual([true, false, true, true]);
  });

  it('lets in a client although others hold all connections', () => {
    const open = connected([one, one, two, two, one, two, three], 4);
    expect(open.filter(Boolean)).toHaveLength(4);
    expect(open.at(-1)).toBe(true);
  });

  it('closes the new connection if each client has only one', () => {
    expect(connected([one, two, three], 2)).toEqual([true, true, false]);
  });
});

it('sends nothing of a file that takes the place of another one while it is opened', async () => {
  const path = join(folder.path, 'raced.tar');
  await writeFile(path, content);
  const { mtimeMs: modified } = await stat(path);
  const file = { name: 'raced.tar', path, size, modified, sha256: '0'.repeat(64) };
  const racing = new DownloadLog({
    ...silentReporter,
    transfer: (label, total) => {
      rmSync(path);
      writeFileSync(path, Buffer.alloc(size, 'x'));
      return silentReporter.transfer(label, total);
    },
  });
  const own = await startServer({ files: [file], log: racing }, loopback);
  try {
    const url = `http://127.0.0.1:${own.address.port}/raced.tar`;
    await expect(fetch(url).then((response) => response.text())).rejects.toThrow();
  } finally {
    await own.close();
    await rm(path);
  }
});
