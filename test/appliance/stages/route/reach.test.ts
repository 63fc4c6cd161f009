import { afterEach, describe, expect, it } from 'vitest';
import { reach, reachAny } from '../../../../appliance/stages/route/reach.ts';
import { CertificateAuthority } from '../../../faulty-server/certificates.ts';
import { status, trickle } from '../../../faulty-server/faults.ts';
import { FaultyServer, type Handler } from '../../../faulty-server/faulty-server.ts';

const running: FaultyServer[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

/** @param limit in milliseconds, days by default */
async function reached(handler: Handler, limit = 2 ** 30) {
  const server = await FaultyServer.start(handler);
  running.push(server);
  const [answer] = await reach({ route: { mode: 'direct' } }, [server.url('/v2/').href], limit);
  return answer;
}

/** Sends endless headers, one character every 0.1 s. */
const drippingHead: Handler = ({ request }) => {
  request.socket.write('HTTP/1.1 200 OK\r\nX-Slow: ');
  const timer = setInterval(() => request.socket.write('x'), 100);
  request.socket.on('close', () => clearInterval(timer));
};

describe('a network endpoint', () => {
  it('reaches an endpoint over TLS with a certificate of the CA of the site only', async () => {
    const authority = new CertificateAuthority();
    const server = await FaultyServer.start(status(401), { tls: authority.issue() });
    running.push(server);
    const urls = [server.url('/v2/').href];
    const route = { mode: 'direct' as const };
    const [trusted] = await reach({ route, ca: authority.cert }, urls);
    expect(trusted).not.toHaveProperty('failure');
    const [untrusted] = await reach({ route }, urls);
    expect(untrusted?.failure?.code).toBe('NETWORK_TLS');
  });

  it('accepts any response of an endpoint as reachable', async () => {
    expect(await reached(status(401))).not.toHaveProperty('failure');
  });

  it('accepts an endpoint once its headers arrive, however slow the body is', async () => {
    expect(await reached(trickle(Buffer.alloc(9_000), 1, 50))).not.toHaveProperty('failure');
  });

  it('rejects an endpoint whose headers arrive too slowly, and does not delay others', async () => {
    expect((await reached(drippingHead, 1500))?.failure).toMatchObject({
      code: 'NETWORK_TIMEOUT',
      message: expect.stringMatching(
        /^127\.0\.0\.1:\d+ is not reachable: no response within 1\.5 s$/,
      ),
    });
  });

  it('rejects an endpoint if slow redirects exceed the time limit', async () => {
    const wandering: Handler = ({ response, url, count }) => {
      setTimeout(
        () => response.writeHead(302, { location: `${url.pathname}${count}/` }).end(),
        700,
      );
    };
    expect((await reached(wandering, 1500))?.failure).toMatchObject({ code: 'NETWORK_TIMEOUT' });
  });
});

describe('a download with several URLs', () => {
  const any = (urls: readonly FaultyServer[], head?: number) =>
    reachAny(
      { route: { mode: 'direct' } },
      urls.map((server) => server.url('/').href),
      head,
    );

  async function server(handler: Handler): Promise<FaultyServer> {
    const started = await FaultyServer.start(handler);
    running.push(started);
    return started;
  }

  it('requests a download from the first URL only, because the others may be blocked', async () => {
    const [first, second] = [await server(status(401)), await server(status(200))];
    expect(await any([first, second])).toEqual([{ url: first.url('/') }]);
    expect(second.seen()).toEqual([]);
  });

  it('requests a download from the other URLs if the first fails or is slow', async () => {
    const second = await server(status(200));
    const down = await FaultyServer.start(status(200));
    await down.close();
    for (const first of [down, await server(drippingHead)]) {
      expect(await any([first, second], 50)).toEqual([{ url: second.url('/') }]);
    }
  });

  it('reaches a download at a slow first URL if the others fail', async () => {
    const down = await FaultyServer.start(status(200));
    await down.close();
    const slow = await server(({ response }) => {
      setTimeout(() => response.writeHead(200).end(), 300);
    });
    expect(await any([slow, down], 50)).toEqual([{ url: slow.url('/') }]);
  });
});
