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

/** Every test boots a server or more; on a busy machine that takes its time. */
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
  places: readonly FaultyServer[],
  env: Record<string, string> = {},
): Promise<Boot & { server: FreshServer }> {
  const server = new FreshServer(await mkdtemp(join(folder, 'root-')));
  await server.paste({ places: places.map(({ origin }) => origin), pin });
  return { server, ...(await server.boot({ env })) };
}

const rangesAsked = (server: FaultyServer) =>
  server.seen(name).map(({ headers }) => headers.range?.replace(/\d+-$/, 'n-'));

describe('a line that is cut', () => {
  it('is taken up where it broke off', async () => {
    const place = await web(inTurn(cutAfter(100_000, bundle), serve(bundle)));
    const { exitCode, output } = await boot([place]);
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
    expect(output).toContain('the line was cut');
    expect(rangesAsked(place)).toContain('bytes=n-');
  });

  it('is taken up again and again, for as long as every part brings something', async () => {
    const place = await web(cutAfter(30_000, bundle));
    const { exitCode, output } = await boot([place]);
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
    expect(place.seen(name).length).toBeGreaterThan(7);
  });

  it('is taken up from the next place', async () => {
    const first = await web(cutAfter(100_000, bundle));
    const second = await web(serve(bundle));
    const { exitCode, output } = await boot([first, second]);
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
    expect(rangesAsked(second)).toContain('bytes=n-');
  });

  it('is taken up from a server that knows no ranges, by passing over what is here', async () => {
    const content = { ranges: false };
    const place = await web(inTurn(cutAfter(100_000, bundle, content), serve(bundle, content)));
    const { exitCode, output } = await boot([place]);
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
  });

  it('is the end of it when nothing more comes, and the unit tries again later', async () => {
    const place = await web(inTurn(cutAfter(100_000, bundle), status(503)));
    const { server, exitCode } = await boot([place]);
    expect(exitCode).toBe(1);
    place.answer(serve(bundle));
    expect((await server.boot()).exitCode).toBe(0);
    expect(rangesAsked(place).at(-1)).toBe('bytes=n-');
  });
});

describe('a server that answers a range', () => {
  it('with other bytes than those that were asked for is not believed', async () => {
    const place = await web(inTurn(cutAfter(100_000, bundle), wrongContentRange(bundle, 512)));
    const good = await web(serve(bundle));
    const { exitCode, output } = await boot([place, good]);
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
  });
});

describe('a slow server', () => {
  it('is waited for while bytes come', async () => {
    const place = await web(trickle(bundle, 40_000, 300));
    const { exitCode, output } = await boot([place], { LANDFALL_STALL: '2' });
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
    ['says nothing at all', silence()],
    ['stops in the middle', stallAfter(100_000, bundle)],
    ['drips a byte now and then', dripping],
    ['drips its headers', drippingHeaders],
  ])('that %s does not keep the next place from its turn', async (_what, handler) => {
    const slow = await web(handler);
    const good = await web(serve(bundle));
    const { exitCode, output } = await boot([slow, good], { LANDFALL_STALL: '1' });
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
    expect(output).toContain('too slow');
  });
});

describe('an answer that is no bundle', () => {
  it.each([
    ['the page of a captive portal', html(), 'REFUSED, it has no proper release.json'],
    ['a body without an end', endless(), 'REFUSED, it has no proper release.json'],
    ['403', status(403), 'HTTP Error 403'],
    ['500', status(500), 'HTTP Error 500'],
    ['a redirect to itself', redirect(name), 'redirect error'],
    ['a redirect to a file', redirect('file:///etc/passwd'), 'HTTP Error 302'],
    ['a redirect to nowhere', redirect('http://[bad'), 'Invalid IPv6 URL'],
  ])('is passed over: %s', async (_what, handler, message) => {
    const bad = await web(handler);
    const good = await web(serve(bundle));
    const { exitCode, output } = await boot([bad, good]);
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
    expect(output).toContain(message);
  });

  it('is followed when it points elsewhere', async () => {
    const good = await web(serve(bundle));
    const place = await web(redirect(good.url(name)));
    expect((await boot([place])).exitCode).toBe(0);
  });

  it('may come in chunks, without a length', async () => {
    const place = await web(({ response }) => {
      response.write(bundle.subarray(0, 70_001));
      response.end(bundle.subarray(70_001));
    });
    const { exitCode, output } = await boot([place]);
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
  });

  it('may be a closed port', async () => {
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

  it('is checked against the authorities of the system', async () => {
    const place = await web(serve(bundle), { tls: authority.issue() });
    const file = join(folder, 'authority.pem');
    await writeFile(file, authority.cert);
    expect((await boot([place], { SSL_CERT_FILE: file })).exitCode).toBe(0);
    const { exitCode, output } = await boot([place]);
    expect(exitCode).toBe(1);
    expect(output).toContain('CERTIFICATE_VERIFY_FAILED');
  });

  it.each([
    ['has expired', { days: -1 }],
    ['is not valid yet', { since: 1, days: 2 }],
  ])('does not ask a clock that may be wrong: the certificate %s', async (_what, dates) => {
    const file = join(folder, 'authority.pem');
    await writeFile(file, authority.cert);
    const place = await web(serve(bundle), { tls: authority.issue(dates) });
    const { exitCode, output } = await boot([place], { SSL_CERT_FILE: file });
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
    const stranger = new CertificateAuthority().issue(dates);
    const elsewhere = await web(serve(bundle), { tls: stranger });
    expect((await boot([elsewhere], { SSL_CERT_FILE: file })).exitCode).toBe(1);
  });

  it('is refused under another name', async () => {
    const place = await web(serve(bundle), {
      tls: authority.issue({ addresses: [], names: ['other.example'] }),
    });
    const file = join(folder, 'authority.pem');
    await writeFile(file, authority.cert);
    const { exitCode, output } = await boot([place], { SSL_CERT_FILE: file });
    expect(exitCode).toBe(1);
    expect(output).toContain('CERTIFICATE_VERIFY_FAILED');
  });
});
