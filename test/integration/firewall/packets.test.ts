import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { parseOpening } from '#contract/site/opening.ts';
import { type FirewallFacts, renderTable } from '../../../appliance/stages/firewall/table.ts';
import { debianSuites } from '../../host/distributions.ts';
import { needs } from '../needs.ts';
import { waiting } from '../stack/waiting.ts';
import { type Address, addresses, published, Server } from './server.ts';

const openings = (...texts: string[]) => texts.flatMap((text) => parseOpening(text) ?? []);
const facts: FirewallFacts = {
  ssh: [22],
  web: [80, 443],
  openings: openings('80/tcp', '443/tcp'),
  destinations: [{ address: '10.0.0.2', port: 7890 }],
  unlimited: ['198.18.0.0/24', '2001:db8:c0::/48'],
};
/** Addresses of the neighbour that containers connect to. */
const destinations = {
  metadata: ['169.254.169.254', 'fd00:ec2::254'],
  private: ['10.0.0.2', '192.168.7.7', '240.0.0.7', 'fd00:77::1', 'fec0::7'],
  /** 10.0.0.7, in the forms of NAT64 and 6to4. */
  translated: ['64:ff9b::a00:7', '64:ff9b:1::a00:7', '2002:a00:7::7'],
  world: ['198.51.100.7', '2001:db8:7::7'],
};

/** Broadcast and multicast addresses at which the host receives packets of a container. */
const broadcastAddresses = [
  '172.30.0.255',
  '192.0.2.255',
  '255.255.255.255',
  '224.0.0.1',
  'ff02::1%eth0',
  // The first address of a network is the anycast address of its routers (RFC 4291, 2.6.1).
  'fd00:30::',
];

/** Sends one echo request and waits for a packet that is not an echo request. */
const ping = `
import socket, struct, sys
six = ':' in sys.argv[1]
sock = socket.socket(socket.AF_INET6 if six else socket.AF_INET, socket.SOCK_RAW, 58 if six else 1)
sock.settimeout(5)
echo = struct.pack('!BBHHH', 128 if six else 8, 0, 0 if six else 0xf7fd, 1, 1)
sock.sendto(echo, (sys.argv[1], 0))
while True:
  kind = sock.recv(2048)[0 if six else 20]
  if kind == (129 if six else 0): break
print('an answer')
`;

for (const suite of debianSuites()) {
  const given = needs(suite);

  given.describe(`the table, loaded by nft of ${suite}`, () => {
    let server: Server;
    let heard: readonly string[];
    const load = async (change: Partial<FirewallFacts> = {}) => {
      const table = renderTable({ ...facts, ...change });
      const loaded = await server.host.runIn(given[suite], ['nft', '--file', '-'], table);
      expect(loaded.all).toBe('');
    };
    const nft = async (line: string) =>
      (await server.host.runIn(given[suite], ['nft', ...line.split(' ')])).all;
    const outside = async (port: number, address: Address = addresses.server) => [
      await server.neighbour.connectTo(address.v4, port),
      await server.neighbour.connectTo(address.v6, port),
    ];
    const fromContainer = async (targets: readonly string[], port: number, timeoutMs?: number) =>
      await Promise.all(
        targets.map((address) => server.container.connectTo(address, port, timeoutMs)),
      );

    beforeAll(async () => {
      server = await Server.open(given[suite]);
      await server.host.greet(22, 80, 3000, 8090, 8443);
      await server.container.greet(80, 81);
      for (const address of Object.values(destinations).flat()) {
        const bits = address.includes(':') ? 128 : 32;
        await server.neighbour.run(`ip address add ${address}/${bits} dev lo`);
        const via = addresses.neighbour[bits === 128 ? 'v6' : 'v4'];
        await server.host.run(`ip route add ${address}/${bits} via ${via}`);
      }
      await server.neighbour.greet(53, 80, 7890);
      heard = await server.host.hear(5353);
    });
    afterAll(() => server.close());

    it('lets containers read large packets where the network of the server takes only small ones', async () => {
      // One segment for a network of 1500 bytes, which the link drops without a message.
      const script = `require('node:net').createServer((socket) => socket.on('error', () => {})
        .end('x'.repeat(1448))).listen(8081, '::', () => console.log('ready'))`;
      await server.neighbour.start([process.execPath, '--eval', script]);
      await server.host.run('ip link set eth0 mtu 1400');
      await load();
      const targets = destinations.world;
      expect(await fromContainer(targets, 8081)).toEqual(targets.map(() => 'open'));
      await server.host.run('ip link set eth0 mtu 1500');
    });

    it('leaves a published port open without the table', async () => {
      await nft('delete table inet landfall');
      expect(await outside(published)).toEqual(['open', 'open']);
      expect(await outside(8090)).toEqual(['open', 'open']);
      expect(await fromContainer(destinations.metadata, 80)).toEqual(['open', 'open']);
      await server.container.tell(5353, ...broadcastAddresses);
      await expect.poll(() => heard.toSorted(), waiting).toEqual(broadcastAddresses.toSorted());
    });

    beforeEach(async () => await load());

    it('allows SSH, 80 and the published 443, over IPv4 and IPv6', async () => {
      expect(await outside(22)).toEqual(['open', 'open']);
      expect(await outside(80)).toEqual(['open', 'open']);
      expect(await outside(443)).toEqual(['open', 'open']);
    });

    it('blocks all other ports of the host and of containers', async () => {
      expect(await outside(8090)).toEqual(['filtered', 'filtered']);
      expect(await outside(published)).toEqual(['filtered', 'filtered']);
    });

    it('blocks direct routes to a container', async () => {
      expect(await outside(80, addresses.container)).toEqual(['filtered', 'filtered']);
      expect(await outside(81, addresses.container)).toEqual(['filtered', 'filtered']);
    });

    it('blocks routes to loopback through the server', async () => {
      await server.neighbour.run('ip route replace 127.0.0.9/32 via 192.0.2.1 table local');
      expect(await server.neighbour.connectTo('127.0.0.9', 3000)).toBe('filtered');
    });

    it('opens and closes ports with one load', async () => {
      await load({ openings: openings('80/tcp', '8443-8444/tcp') });
      expect(await outside(8443)).toEqual(['open', 'open']);
      expect(await outside(443)).toEqual(['filtered', 'filtered']);
      await load();
      expect(await outside(8443)).toEqual(['filtered', 'filtered']);
    });

    it('responds to pings, and discovers its neighbours over IPv6', async () => {
      await server.host.run('ip -6 neigh flush dev eth0');
      await server.neighbour.run('ip -6 neigh flush dev eth0');
      expect(await outside(22)).toEqual(['open', 'open']);
      for (const address of [addresses.server.v4, addresses.server.v6]) {
        const args = ['python3', '-c', ping, address];
        expect((await server.neighbour.runIn(given[suite], args)).all).toBe('an answer');
      }
    });

    it('keeps bans when it is reloaded, and drops packets of a banned address', async () => {
      const element = `element inet landfall banned-sshd-4 { ${addresses.neighbour.v4} timeout 1h }`;
      await nft(`add ${element}`);
      await load();
      expect(await nft('list set inet landfall banned-sshd-4')).toContain(addresses.neighbour.v4);
      expect(await outside(22)).toEqual(['filtered', 'open']);
      expect(await outside(443)).toEqual(['filtered', 'open']);
      await nft('flush set inet landfall banned-sshd-4');
      expect(await outside(443)).toEqual(['open', 'open']);
    });

    it('bans an entire /64 of IPv6, and not the adjacent one', async () => {
      const elsewhere = '2001:db8:1:1::2';
      await server.neighbour.run(`ip address add ${elsewhere}/128 dev lo`);
      await server.host.run(`ip route add ${elsewhere}/128 via ${addresses.neighbour.v6}`);
      await nft('add element inet landfall banned-sshd-6 { 2001:db8:1:0:: timeout 1h }');
      expect(await outside(443)).toEqual(['open', 'filtered']);
      // The neighbour is the router of the other network; it must still be found.
      await server.host.run('ip -6 neigh flush dev eth0');
      await server.neighbour.run('ip -6 neigh flush dev eth0');
      const held = { to: addresses.server.v6, port: 80 };
      const next = await server.neighbour.hold(1, { ...held, from: elsewhere });
      expect(next.open).toBe(1);
      await nft('flush set inet landfall banned-sshd-6');
      expect(await outside(443)).toEqual(['open', 'open']);
    });

    it.each(['gateway-login', 'gateway-scan'])(
      'keeps SSH open for addresses banned by %s',
      async (jail) => {
        await nft(
          `add element inet landfall banned-${jail}-4 { ${addresses.neighbour.v4} timeout 1h }`,
        );
        expect(await outside(22)).toEqual(['open', 'open']);
        expect(await outside(443)).toEqual(['filtered', 'open']);
        expect(await outside(80)).toEqual(['filtered', 'open']);
        await nft(`flush set inet landfall banned-${jail}-4`);
        expect(await outside(443)).toEqual(['open', 'open']);
      },
    );

    it('rate-limits SSH connections for each client separately', async () => {
      let state = 'open';
      for (let tries = 0; tries < 60 && state === 'open'; tries += 1) {
        state = await server.neighbour.connectTo(addresses.server.v4, 22);
      }
      expect(state).toBe('filtered');
      expect(await server.neighbour.connectTo(addresses.server.v6, 22)).toBe('open');
      await nft('flush set inet landfall ssh-clients-4');
      expect(await server.neighbour.connectTo(addresses.server.v4, 22)).toBe('open');
    });

    it('blocks the metadata address of the cloud and private networks for containers', async () => {
      // A refusal while connect() is still running takes effect only from the second packet on.
      const timeoutMs = 3000;
      expect(await fromContainer(destinations.metadata, 80, timeoutMs)).toEqual([
        'refused',
        'refused',
      ]);
      const closed = [...destinations.private, ...destinations.translated];
      const refused = closed.map(() => 'refused');
      expect(await fromContainer(closed, 80, timeoutMs)).toEqual(refused);
    });

    it('drops broadcasts from containers to programs of the host', async () => {
      await server.container.tell(5353, ...broadcastAddresses);
      // Packets of the host to itself arrive later.
      await server.host.tell(5353, '127.0.0.1');
      await expect.poll(() => heard.at(-1), waiting).toBe('127.0.0.1');
      expect(heard).toEqual([...heard.slice(0, broadcastAddresses.length), '127.0.0.1']);
    });

    it("lets containers reach the internet, resolvers and the site's proxy", async () => {
      expect(await fromContainer(destinations.world, 80)).toEqual(['open', 'open']);
      expect(await fromContainer(destinations.metadata, 53)).toEqual(['open', 'open']);
      expect(await fromContainer(['10.0.0.2'], 7890)).toEqual(['open']);
    });

    it("blocks the host's ports for containers, except those of the gateway", async () => {
      const own = Object.values(addresses.bridge);
      expect(await fromContainer(own, 22)).toEqual(['filtered', 'filtered']);
      expect(await fromContainer(own, 3000)).toEqual(['filtered', 'filtered']);
      expect(await fromContainer(own, 80)).toEqual(['open', 'open']);
      expect(await fromContainer(Object.values(addresses.server), 22)).toEqual([
        'filtered',
        'filtered',
      ]);
    });

    it('lets the host reach containers', async () => {
      expect(await server.host.connectTo(addresses.container.v4, 81)).toBe('open');
      expect(await server.host.connectTo(addresses.container.v6, 81)).toBe('open');
    });
  });
}
