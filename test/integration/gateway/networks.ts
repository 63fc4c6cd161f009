import { beforeAll, describe, expect, it } from 'vitest';
import type { GatewayRig } from './gateway-rig.ts';

const host = 'chat.example.com';
const addressesOf = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}:${(index + 1).toString(16)}::9`);

/** A client with one address of a /64 can use all of them. */
export function networks(rig: () => GatewayRig): void {
  describe('a client with a /64 of IPv6', () => {
    const own = addressesOf('2001:db8:1:2', 40);
    // Bytes that a pattern may mistake for the end of a line or string.
    const neighbours = [...addressesOf('2001:db8:1:3', 3), ...addressesOf('2001:db8:a0a:a00', 3)];

    beforeAll(async () => {
      await rig().inItsNetwork('sysctl', '-q', '-w', 'net.ipv6.conf.lo.disable_ipv6=0');
      for (const address of [...own, ...neighbours]) {
        await rig().inItsNetwork('ip', 'address', 'add', `${address}/128`, 'dev', 'lo');
      }
    });

    /** Returns the statuses of sign-ins, one from each address. */
    async function signIns(from: readonly string[]): Promise<number[]> {
      const script = `
        const { request } = require('node:https');
        const ask = (localAddress) => new Promise((done) => request({
          localAddress, host: localAddress, path: '/api/v1/auths/signin?status=400', method: 'POST',
          servername: '${host}', rejectUnauthorized: false, headers: { host: '${host}' },
        }, (answer) => done(answer.resume().statusCode)).end());
        Promise.all(process.argv.slice(1).map(ask)).then((all) => console.log(JSON.stringify(all)));`;
      return JSON.parse(await rig().inItsNetwork(process.execPath, '--eval', script, ...from));
    }

    it('limits password guesses from changing addresses of a /64, but not its neighbours', async () => {
      const statuses = await signIns(own);
      expect(statuses.filter((status) => status === 400).length).toBeLessThanOrEqual(4);
      expect(statuses).toContain(429);
      expect(await signIns(neighbours)).toEqual(neighbours.map(() => 400));
    });

    it('logs an IPv6 client with its network for bans, and an IPv4 client without one', async () => {
      await rig().client.ask(`https://${host}/.env?status=404`);
      const clients = (await rig().banLog()).map((line) => line.split(' ')[0]);
      expect(clients).toEqual(expect.arrayContaining(own.map((address) => `${address}/64`)));
      expect(clients).toContainEqual(expect.stringMatching(/^\d+\.\d+\.\d+\.\d+$/));
    });
  });
}
