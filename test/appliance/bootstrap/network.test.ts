import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CertificateAuthority } from '../../faulty-server/certificates.ts';
import {
  cutAfter,
  endless,
  html,
  inTurn,
  redirect,
  serve,
  silence,
  stallAfter,
  status,
  trickle,
  wrongContentRange,
} from '../../faulty-server/faults.ts';
import {
  FaultyServer,
  type Handler,
  type ServerOptions,
} from '../../faulty-server/faulty-server.ts';
import { workFolder } from '../../simulator/work-folder.ts';
import { type Boot, FreshServer } from './fresh-server.ts';
import { installable, pinOf } from './installable.ts';

/** Each test boots at least one server, which is slow on a busy machine. */
vi.setConfig({ testTimeout: 300_000 });

const bundle = installable();
const pin = pinOf(bundle);
const folder = await workFolder();
const name = '/landfall-1.2.0-amd64.tar';

const running: Array<{ close(): Promise<void> }> = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

async function web(handler: Handler, options?: ServerOptions): Promise<FaultyServer> {
  const server = await FaultyServer.start(handler, options);
  running.push(server);
  return server;
}

async function boot(
  sources: readonly FaultyServer[],
  env: Record<string, string> = {},
): Promise<Boot & { server: FreshServer }> {
  const server = new FreshServer(await mkdtemp(join(folder, 'root-')));
  await server.paste({ sources: sources.map(({ origin }) => origin), pin });
  return { server, ...(await server.boot({ env })) };
}

const rangesAsked = (server: FaultyServer) =>
  server.seen(name).map(({ headers }) => headers.range?.replace(/\d+-$/, 'n-'));

describe('a lost connection', () => {
  it('resumes a lost connection where it stopped', async () => {
    const source = await web(inTurn(cutAfter(100_000, bundle), serve(bundle)));
    const { exitCode, output } = await boot([source]);
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
    expect(output).toContain('connection lost');
    expect(rangesAsked(source)).toContain('bytes=n-');
  });

  it('resumes a lost connection repeatedly as long as each attempt receives data', async () => {
    const source = await web(cutAfter(30_000, bundle));
    const { exitCode, output } = await boot([source]);
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
    expect(source.seen(name).length).toBeGreaterThan(7);
  });

  it('resumes a lost connection from the next source', async () => {
    const first = await web(cutAfter(100_000, bundle));
    const second = await web(serve(bundle));
    const { exitCode, output } = await boot([first, second]);
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
    expect(rangesAsked(second)).toContain('bytes=n-');
  });

  it('resumes a lost connection without range requests by skipping the present bytes', async () => {
    const content = { ranges: false };
    const source = await web(inTurn(cutAfter(100_000, bundle, content), serve(bundle, content)));
    const { exitCode, output } = await boot([source]);
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
  });

  it('fails the run after an attempt without data, and the next run resumes', async () => {
    const source = await web(inTurn(cutAfter(100_000, bundle), status(503)));
    const { server, exitCode } = await boot([source]);
    expect(exitCode).toBe(1);
    source.answer(serve(bundle));
    expect((await server.boot()).exitCode).toBe(0);
    expect(rangesAsked(source).at(-1)).toBe('bytes=n-');
  });
});

describe('a server that returns a range', () => {
  it('skips a server that returns another range than requested', async () => {
    const source = await web(inTurn(cutAfter(100_000, bundle), wrongContentRange(bundle, 512)));
    const good = await web(serve(bundle));
    const { exitCode, output } = await boot([source, good]);
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
  });
});

describe('a slow server', () => {
  it('waits for a slow server while data arrives', async () => {
    const source = await web(trickle(bundle, 40_000, 300));
    const { exitCode, output } = await boot([source], { LANDFALL_STALL: '2' });
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
  });

  const dripping: Handler = async ({ response }) => {
    response.writeHead(200, { 'content-length': bundle.length });
    let at = 0;
    const timer = setInterval(() => response.write(bundle.subarray(at, ++at)), 100);
    response.on('close', () => clearInterval(timer));
  };
  const drippingHeaders: Handler = ({ request }) => {
    request.socket.write('HTTP/1.1 200 OK\r\n');
    const timer = setInterval(() => request.socket.write('x'), 100);
    request.socket.on('close', () => clearInterval(timer));
  };

  it.each([
    ['never responds', silence()],
    ['stalls in the middle', stallAfter(100_000, bundle)],
    ['sends single bytes slowly', dripping],
    ['sends its headers slowly', drippingHeaders],
  ])('that %s does not block the next source', async (_what, handler) => {
    const slow = await web(handler);
    const good = await web(serve(bundle));
    const { exitCode, output } = await boot([slow, good], { LANDFALL_STALL: '1' });
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
    expect(output).toContain('too slow');
  });
});

describe('a response that is not a bundle', () => {
  it.each([
    ['the page of a captive portal', html(), 'rejected: release.json is missing or malformed'],
    ['an endless body', endless(), 'rejected: release.json is missing or malformed'],
    ['403', status(403), 'HTTP Error 403'],
    ['500', status(500), 'HTTP Error 500'],
    ['a redirect to itself', redirect(name), 'redirect error'],
    ['a redirect to a file', redirect('file:///etc/passwd'), 'HTTP Error 302'],
    ['a redirect to an invalid URL', redirect('http://[bad'), 'Invalid IPv6 URL'],
  ])('skips a response that is not a bundle: %s', async (_what, handler, message) => {
    const bad = await web(handler);
    const good = await web(serve(bundle));
    const { exitCode, output } = await boot([bad, good]);
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
    expect(output).toContain(message);
  });

  it('follows a response that is a redirect', async () => {
    const good = await web(serve(bundle));
    const source = await web(redirect(good.url(name)));
    expect((await boot([source])).exitCode).toBe(0);
  });

  it('may be chunked, without a length', async () => {
    const source = await web(({ response }) => {
      response.write(bundle.subarray(0, 70_001));
      response.end(bundle.subarray(70_001));
    });
    const { exitCode, output } = await boot([source]);
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
  });

  it('may be a refused connection', async () => {
    const gone = await FaultyServer.start(serve(bundle));
    await gone.close();
    const good = await web(serve(bundle));
    const { exitCode, output } = await boot([gone, good]);
    expect(exitCode).toBe(0);
    expect(output).toContain('Connection refused');
  });
});

describe('https', () => {
  const authority = new CertificateAuthority();

  it('verifies https with the certificate authorities of the system', async () => {
    const source = await web(serve(bundle), { tls: authority.issue() });
    const file = join(folder, 'authority.pem');
    await writeFile(file, authority.cert);
    expect((await boot([source], { SSL_CERT_FILE: file })).exitCode).toBe(0);
    const { exitCode, output } = await boot([source]);
    expect(exitCode).toBe(1);
    expect(output).toContain('CERTIFICATE_VERIFY_FAILED');
  });

  it.each([
    ['has expired', { days: -1 }],
    ['is not valid yet', { since: 1, days: 2 }],
  ])(
    'ignores the dates of a certificate, because the clock may be wrong: it %s',
    async (_what, dates) => {
      const file = join(folder, 'authority.pem');
      await writeFile(file, authority.cert);
      const source = await web(serve(bundle), { tls: authority.issue(dates) });
      const { exitCode, output } = await boot([source], { SSL_CERT_FILE: file });
      expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
      const untrusted = new CertificateAuthority().issue(dates);
      const elsewhere = await web(serve(bundle), { tls: untrusted });
      expect((await boot([elsewhere], { SSL_CERT_FILE: file })).exitCode).toBe(1);
    },
  );

  it('rejects https with a certificate for another host name', async () => {
    const source = await web(serve(bundle), {
      tls: authority.issue({ addresses: [], names: ['other.example'] }),
    });
    const file = join(folder, 'authority.pem');
    await writeFile(file, authority.cert);
    const { exitCode, output } = await boot([source], { SSL_CERT_FILE: file });
    expect(exitCode).toBe(1);
    expect(output).toContain('CERTIFICATE_VERIFY_FAILED');
  });
});
