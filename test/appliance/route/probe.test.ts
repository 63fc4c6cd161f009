import { afterEach, describe, expect, it } from 'vitest';
import { probe } from '../../../appliance/route/probe.ts';
import { status, trickle } from '../../faulty-server/faults.ts';
import { FaultyServer, type Handler } from '../../faulty-server/faulty-server.ts';

const running: FaultyServer[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

/** @param limit milliseconds; days, unless the test waits for the end of them */
async function reached(handler: Handler, limit = 2 ** 30) {
  const server = await FaultyServer.start(handler);
  running.push(server);
  const [answer] = await probe({ route: { mode: 'direct' } }, [server.url('/v2/').href], limit);
  return answer;
}

/** A head that never ends, one letter a tenth of a second. */
const drippingHead: Handler = ({ request }) => {
  request.socket.write('HTTP/1.1 200 OK\r\nX-Slow: ');
  const timer = setInterval(() => request.socket.write('x'), 100);
  request.socket.on('close', () => clearInterval(timer));
};

describe('a place on the network', () => {
  it('is reached by any answer', async () => {
    expect(await reached(status(401))).not.toHaveProperty('failure');
  });

  it('is reached by the head of an answer, however slow the rest is', async () => {
    expect(await reached(trickle(Buffer.alloc(9_000), 1, 50))).not.toHaveProperty('failure');
  });

  it('is not reached where the head comes drop by drop, and holds nobody up', async () => {
    expect((await reached(drippingHead, 1500))?.failure).toMatchObject({
      code: 'NETWORK_TIMEOUT',
      message: expect.stringMatching(
        /^127\.0\.0\.1:\d+ is not reachable: no answer came within 1\.5 s$/,
      ),
    });
  });

  it('is not reached where every redirect takes its time', async () => {
    const wandering: Handler = ({ response, url, count }) => {
      setTimeout(
        () => response.writeHead(302, { location: `${url.pathname}${count}/` }).end(),
        700,
      );
    };
    expect((await reached(wandering, 1500))?.failure).toMatchObject({ code: 'NETWORK_TIMEOUT' });
  });
});
