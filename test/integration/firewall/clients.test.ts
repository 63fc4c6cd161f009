import { afterAll, beforeAll, expect, it } from 'vitest';
import { enginePort } from '#contract/site/engines/engine-node.ts';
import { closedPorts } from '../../../appliance/operations/transactions/units.ts';
import { renderTable } from '../../../appliance/stages/firewall/table.ts';
import { smallSite } from '../../appliance/context.ts';
import { debianSuites } from '../../host/distributions.ts';
import { needs } from '../needs.ts';
import { addresses, Server } from './server.ts';

const { neighbour, server: own } = addresses;
/** Other addresses of the neighbour. */
const others = { v4: '198.51.100.7', v6: '2001:db8:7::7' };
const opening = { first: enginePort, last: enginePort, protocol: 'tcp' } as const;

for (const suite of debianSuites()) {
  const given = needs(suite);

  given.describe(`a published port for some clients, with nft of ${suite}`, () => {
    let server: Server;
    const nft = async (table: string) =>
      expect((await server.host.runIn(given[suite], ['nft', '--file', '-'], table)).all).toBe('');
    const openFor = async (...clients: string[]) => {
      const openings = clients.map((from) => ({ ...opening, from }));
      await nft(
        renderTable({ ssh: [22], web: [80, 443], openings, destinations: [], unlimited: [] }),
      );
    };
    /** Returns the state of a port for the first addresses of the neighbour. */
    const seen = async (port: number) => [
      await server.neighbour.connectTo(own.v4, port),
      await server.neighbour.connectTo(own.v6, port),
    ];
    const held = async (count: number, from: string) => {
      const to = from.includes(':') ? own.v6 : own.v4;
      const { open, end } = await server.neighbour.hold(count, { from, to, port: enginePort });
      await end();
      return open;
    };

    beforeAll(async () => {
      server = await Server.open(given[suite]);
      await server.container.greet(80);
      for (const address of Object.values(others)) {
        const bits = address.includes(':') ? 128 : 32;
        await server.neighbour.run(`ip address add ${address}/${bits} dev lo`);
        const via = neighbour[bits === 128 ? 'v6' : 'v4'];
        await server.host.run(`ip route add ${address}/${bits} via ${via}`);
      }
    });
    afterAll(() => server.close());

    it('opens the port for listed addresses and networks, and for no others', async () => {
      await openFor(neighbour.v4, '2001:db8:1::/64');
      expect(await seen(enginePort)).toEqual(['open', 'open']);
      expect([await held(1, others.v4), await held(1, others.v6)]).toEqual([0, 0]);
      await openFor('198.51.100.0/24', others.v6);
      expect(await seen(enginePort)).toEqual(['filtered', 'filtered']);
      expect([await held(1, others.v4), await held(1, others.v6)]).toEqual([1, 1]);
    });

    it('keeps a published 443 closed for everyone', async () => {
      await openFor(neighbour.v4, neighbour.v6);
      expect(await seen(443)).toEqual(['filtered', 'filtered']);
    });

    it('accepts any number of connections from a client', async () => {
      await openFor(neighbour.v4, neighbour.v6);
      expect(await held(150, neighbour.v4)).toBe(150);
      expect(await held(150, neighbour.v6)).toBe(150);
    });

    it('rejects clients during an update, and still drops packets of others', async () => {
      const [table] = closedPorts({ ...smallSite, role: 'engine-node' }).files ?? [];
      await nft(`${table?.text}`);
      await openFor(neighbour.v4);
      expect(await seen(enginePort)).toEqual(['refused', 'filtered']);
      await nft('delete table inet landfall_closed');
      expect(await seen(enginePort)).toEqual(['open', 'filtered']);
    });
  });
}
