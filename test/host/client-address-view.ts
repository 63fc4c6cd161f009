import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Premises } from './premises.ts';

const log = '/var/lib/landfall/gateway-log/access.log';

/**
 * Tests that the gateway knows who asks. An engine that hands connections over itself, as Docker
 * does where a container has no address of the client's kind, makes all of them look like one: then
 * one guesser's ban is everybody's.
 * @param name a host name of the site
 */
export function itKnowsWhoAsks(premises: () => Premises, name: string): void {
  it.each(['v4', 'v6'] as const)('sees the address of who asks over IP%s', async (family) => {
    const { host, owner } = premises();
    const path = `/who-asks-${randomUUID()}`;
    const there = `[${host.addresses[family]}]`.replace(/^\[([\d.]+)\]$/, '$1');
    await owner.fetch(`https://${name}${path}`, [
      '--insecure',
      ...['--resolve', `${name}:443:${there}`],
    ]);
    // The gateway writes once it has answered.
    const line = await host.waitFor(`grep -F ${path} ${log}`, 60);
    // An IPv6 address stands with the length of the network that a ban would cover.
    const length = family === 'v6' ? '/64' : '';
    expect(line.split(' ')[0]).toBe(`${owner.addresses[family]}${length}`);
  });
}
