import { LandfallError } from '#contract/errors.ts';
import { readText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { containerLinks } from './rules-for-containers.ts';

/**
 * Rejects a server whose uplink has an interface name that the table reserves for containers: SSH
 * would be closed there, and the test from outside uses another interface.
 * @throws LandfallError FIREWALL_INVALID
 */
export async function refuseContainerUplinks(host: Host): Promise<void> {
  const odd = (await uplinks(host)).filter(isContainerLink);
  if (odd.length === 0) return;
  throw new LandfallError(
    'FIREWALL_INVALID',
    `the uplink of this server is ${odd.join(', ')}, a name reserved for container networks`,
    {
      hint: 'Rename the interface, such as to lan0 or br0 (systemd.link(5), netplan), then run: sudo landfall first-boot',
    },
  );
}

/** Returns the interfaces of the default routes for IPv4 and IPv6. */
async function uplinks(host: Host): Promise<string[]> {
  const [v4, v6] = await Promise.all([
    readText(host, 'proc/net/route'),
    readText(host, 'proc/net/ipv6_route'),
  ]);
  const names = [
    ...fieldsOf(v4)
      .filter(([, to, , , , , , mask]) => to === '00000000' && mask === '00000000')
      .map(([name = '']) => name),
    ...fieldsOf(v6)
      .filter(([to = '', bits]) => /^0+$/.test(to) && bits === '00')
      .map((fields) => fields.at(-1) ?? ''),
  ];
  return [...new Set(names)].sort();
}

function fieldsOf(text: string | undefined): string[][] {
  return (text ?? '').split('\n').map((line) => line.trim().split(/\s+/));
}

/** Matches the patterns of the table, which are quoted and end with a star. */
function isContainerLink(name: string): boolean {
  return containerLinks.some((pattern) => name.startsWith(pattern.replace(/["*]/g, '')));
}
