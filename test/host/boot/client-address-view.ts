import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Premises } from './premises.ts';

const log = '/var/lib/landfall/gateway-log/access.log';

/**
 * Tests that the gateway sees the client's address. Docker proxies connections in user space where
 * a container has no address of the client's IP version. All clients then share one address, and
 * one attacker's ban blocks all of them.
 * @param name a host name of the site
 */
export function itSeesClientAddresses(premises: () => Premises, name: string): void {
  it.each(['v4', 'v6'] as const)('sees the address of the client over IP%s', async (family) => {
    const { host, administrator } = premises();
    const path = `/who-asks-${randomUUID()}`;
    const there = `[${host.addresses[family]}]`.replace(/^\[([\d.]+)\]$/, '$1');
    await administrator.fetch(`https://${name}${path}`, [
      '--insecure',
      ...['--resolve', `${name}:443:${there}`],
    ]);
    // nginx logs a request after the response.
    const line = await host.waitFor(`grep -F ${path} ${log}`, 60);
    // An IPv6 address is logged with the prefix length that a ban would cover.
    const length = family === 'v6' ? '/64' : '';
    expect(line.split(' ')[0]).toBe(`${administrator.addresses[family]}${length}`);
  });
}
