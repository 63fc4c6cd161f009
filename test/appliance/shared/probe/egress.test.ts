import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chooseProxy } from '#http/proxy.ts';
import { egressOver } from '../../../../appliance/shared/probe/probe-from-flags.ts';
import { endless, status } from '../../../faulty-server/faults.ts';
import type { Handler } from '../../../faulty-server/faulty-server.ts';
import { ProbeRig } from './rig.ts';

let rig: ProbeRig;
beforeEach(() => {
  rig = new ProbeRig();
});
afterEach(() => rig.close());

async function egress(handler: Handler) {
  const server = await rig.plain(handler);
  return await egressOver({}, server.url('/ip'), await rig.network({}));
}

const sends =
  (body: string): Handler =>
  ({ response }) =>
    void response.end(body);

describe('the egress address', () => {
  it.each([
    ['203.0.113.5\n', '203.0.113.5'],
    ['2001:db8::5', '2001:db8::5'],
    ['{"ip": "203.0.113.5"}', '203.0.113.5'],
    ['{"origin": "203.0.113.5, 10.0.0.1"}', '203.0.113.5'],
  ])('reads the egress address from %j', async (body, address) => {
    expect(await egress(sends(body))).toEqual({ address });
  });

  it.each([
    ['control characters', sends('203.0.113.5\x1b[2J')],
    ['HTML', sends('<html>203.0.113.5</html>')],
    ['a zone with a command', sends('fe80::1%\x1b]0;owned\x07')],
    ['other JSON', sends('{"ip": {"__proto__": []}}')],
    ['JSON null', sends('null')],
    ['an empty body', sends('')],
    ['an endless body', endless(Buffer.alloc(65_536, '1'))],
    ['an error', status(503)],
    [
      'a redirect',
      (({ response }) =>
        void response
          .writeHead(302, { location: 'http://127.0.0.1:9/' })
          .end('203.0.113.5')) as Handler,
    ],
  ])('reports the egress address as unknown for %s', async (_what, handler) => {
    expect(await egress(handler)).toEqual({
      failure: {
        step: 'http',
        code: 'HTTP_STATUS',
        reason: 'the response of the echo service has no address',
      },
    });
  });

  it('requests the egress address through a proxy', async () => {
    const server = await rig.plain(sends('203.0.113.5'));
    const { url } = await rig.httpProxy();
    const proxy = chooseProxy(server.url('/ip'), { proxy: url });
    const network = await rig.network({});
    expect(await egressOver({ proxy }, server.url('/ip'), network)).toEqual({
      address: '203.0.113.5',
    });
  });
});
