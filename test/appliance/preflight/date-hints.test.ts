import { afterAll, describe, expect, it } from 'vitest';
import type { Route } from '#contract/site/site.ts';
import { dateHints } from '../../../appliance/preflight/date-hints.ts';
import { CertificateAuthority } from '../../faulty-server/certificates.ts';
import { FaultyServer, type Handler } from '../../faulty-server/faulty-server.ts';
import { HttpProxy } from '../../faulty-server/http-proxy.ts';

const direct: Route = { mode: 'direct' };
const noon = 'Sat, 21 Nov 2026 12:00:00 GMT';
const says =
  (date: string): Handler =>
  ({ response }) => {
    response.sendDate = false;
    response.writeHead(301, { date, location: 'https://elsewhere.example/' }).end();
  };

const running: Array<{ close(): Promise<void> }> = [];
afterAll(() => Promise.all(running.map((each) => each.close())));

async function place(...given: Parameters<typeof FaultyServer.start>): Promise<string> {
  const server = await FaultyServer.start(...given);
  running.push(server);
  return server.url('/').href;
}

describe('the time that download sources send', () => {
  it('is read from the Date header of any response, including redirects', async () => {
    const release = [await place(says(noon))];
    expect(await dateHints({ release, route: direct })).toEqual([Date.parse(noon)]);
  });

  it('is read despite a certificate that a wrong clock would reject', async () => {
    const tls = new CertificateAuthority().issue({ days: -1 });
    const release = [await place(says(noon), { tls })];
    expect(await dateHints({ release, route: direct })).toEqual([Date.parse(noon)]);
  });

  it('is ignored if it is invalid or missing', async () => {
    const silent = 'http://127.0.0.1:9/';
    const release = [await place(says('yesterday')), silent, await place(says(noon))];
    expect(await dateHints({ release, route: direct })).toEqual([Date.parse(noon)]);
  });
});

describe('the time behind a proxy', () => {
  it('is requested through the proxy', async () => {
    const proxy = await HttpProxy.start();
    running.push(proxy);
    const route: Route = { mode: 'http-proxy', url: proxy.url, no_proxy: [] };
    // An unresolvable name: the request fails unless it uses the proxy.
    await dateHints({ release: ['http://landfall.invalid/'], route });
    expect(proxy.asked).toEqual([expect.stringContaining('landfall.invalid')]);
  });

  it('is not requested through a SOCKS proxy', async () => {
    const release = [await place(says(noon))];
    const route: Route = { mode: 'socks5', url: 'socks5h://127.0.0.1:9', no_proxy: [] };
    expect(await dateHints({ release, route })).toEqual([]);
  });
});
