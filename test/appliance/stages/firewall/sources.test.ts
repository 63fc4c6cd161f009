import { describe, expect, it } from 'vitest';
import { engineOpenings } from '#contract/site/network/openings.ts';
import { withoutIpv6 } from '../../../../appliance/stages/firewall/sources.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const nodeWith = (...clients: string[]) => ({
  engine_node: { client_ca: '', clients, slots: 1 },
});

describe('the sources of openings', () => {
  // UFW ends with "IPv6 support not enabled" otherwise, and so would the first boot.
  it.each([
    ['UFW is not installed yet', { 'proc/sys/net/ipv6/x': '' }, 2],
    ['UFW has it', { 'proc/sys/net/ipv6/x': '', 'etc/default/ufw': 'A=b\nIPV6=yes\n' }, 2],
    ['UFW has it disabled', { 'proc/sys/net/ipv6/x': '', 'etc/default/ufw': 'IPV6=no\n' }, 1],
    ['the kernel has none', { 'etc/default/ufw': 'IPV6=yes\n' }, 1],
  ])('leaves out IPv6 clients only where UFW has no IPv6: %s', async (_what, files, count) => {
    const openings = engineOpenings(nodeWith('203.0.113.20', '2001:db8::20'));
    expect(await withoutIpv6(TemporaryHost.with(files), openings)).toEqual(
      openings.slice(0, count),
    );
  });
});
