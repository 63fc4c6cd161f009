import { LandfallError } from '#contract/errors.ts';
import { readText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { containerLinks } from './rules-for-containers.ts';

/**
 * Refuses a server whose own way out has a name that the table takes for containers': SSH would be
 * closed there, and the proof comes over another interface.
 * @throws LandfallError FIREWALL_INVALID
 */
export async function refuseContainerUplinks(host: Host): Promise<void> {
  const odd = (await uplinks(host)).filter(isContainerLink);
  if (odd.length === 0) return;
  throw new LandfallError(
    'FIREWALL_INVALID',
    `the way out of this server is ${odd.join(', ')}, a name that networks of containers have`,
    {
      hint: 'Nothing was changed. Give the interface another name, such as lan0 or br0 (systemd.link(5), netplan), then run: sudo landfall first-boot',
    },
  );
}

/** The interfaces that a default route leads over, of both versions of IP. */
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

/** The table's own patterns: a name in quotes, with a star at its end. */
function isContainerLink(name: string): boolean {
  return containerLinks.some((pattern) => name.startsWith(pattern.replace(/["*]/g, '')));
}
