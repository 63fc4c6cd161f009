import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { parseOpening } from '#contract/site/opening.ts';
import { renderTable } from '../../../appliance/stages/firewall/table.ts';
import { needs } from '../needs.ts';
import { addresses, Server } from './server.ts';

const given = needs('trixie', 'bookworm');

/** Addresses of the neighbour: another client, one of a CDN, and the same for IPv6. */
const others = {
  client4: '198.51.100.7',
  both4: '198.51.100.8',
  cdn4: '198.18.0.9',
  sameNetwork6: '2001:db8:5::9',
  nextNetwork6: '2001:db8:5:1::9',
  cdn6: '2001:db8:c0::9',
};
const own6 = '2001:db8:5::2';
const unlimited = ['198.18.0.0/24', '2001:db8:c0::/48'];
const { v4, v6 } = addresses.server;

for (const suite of ['bookworm', 'trixie'] as const) {
  given.describe(`simultaneous connections, with nft of ${suite}`, () => {
    let server: Server;
    const ends: Array<() => Promise<void>> = [];
    const open = async (count: number, from: string, port = 80) => {
      const held = await server.neighbour.hold(count, {
        ...{ from, to: from.includes(':') ? v6 : v4, port },
      });
      ends.push(held.end);
      return held.open;
    };
    const endAll = async () => {
      for (const end of ends.splice(0)) await end();
    };

    beforeAll(async () => {
      server = await Server.open(given[suite]);
      await server.host.listenTo(80, 8443);
      await server.container.listenTo(80);
      for (const address of [own6, ...Object.values(others)]) {
        const bits = address.includes(':') ? 128 : 32;
        await server.neighbour.run(`ip address add ${address}/${bits} dev lo`);
        const via = addresses.neighbour[bits === 128 ? 'v6' : 'v4'];
        await server.host.run(`ip route add ${address}/${bits} via ${via}`);
      }
      const openings = ['80/tcp', '443/tcp', '8443/tcp'].flatMap(
        (text) => parseOpening(text) ?? [],
      );
      const table = renderTable({
        ssh: [22],
        web: [80, 443],
        openings,
        destinations: [],
        unlimited,
      });
      const loaded = await server.host.runIn(given[suite], ['nft', '--file', '-'], table);
      expect(loaded.all).toBe('');
    });
    afterEach(endAll);
    afterAll(() => server.close());

    it('limits one address to three hundred simultaneous connections, independently of others', async () => {
      expect(await open(320, addresses.neighbour.v4)).toBe(300);
      expect(await open(1, addresses.neighbour.v4)).toBe(0);
      expect(await open(300, others.client4)).toBe(300);
    });

    it('share one limit for 80 and a published 443', async () => {
      // A separate address: ended connections of the previous test may still be counted for a
      // moment.
      expect(await open(260, others.both4)).toBe(260);
      expect(await open(60, others.both4, 443)).toBe(40);
    });

    it('limits a /64 of IPv6 to three hundred connections, regardless of its addresses', async () => {
      expect(await open(260, own6)).toBe(260);
      expect(await open(60, others.sameNetwork6)).toBe(40);
      expect(await open(60, others.nextNetwork6)).toBe(60);
    });

    it('accepts connections again when earlier ones have ended', async () => {
      expect(await open(300, addresses.neighbour.v4)).toBe(300);
      await endAll();
      expect(await open(300, addresses.neighbour.v4)).toBe(300);
    });

    it('accepts any number of connections from networks that the site exempts', async () => {
      expect(await open(350, others.cdn4)).toBe(350);
      expect(await open(350, others.cdn6)).toBe(350);
    });

    it('accepts any number of connections at ports other than those of the gateway', async () => {
      expect(await open(350, addresses.neighbour.v4, 8443)).toBe(350);
    });
  });
}
