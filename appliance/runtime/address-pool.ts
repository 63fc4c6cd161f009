import { BlockList } from 'node:net';

/** A range for container networks: `size` is the prefix length of each network. */
export interface AddressPool {
  readonly base: string;
  readonly size: number;
}

/** Private ranges that providers and home networks rarely use, the rarest first (RFC 1918). */
const candidates = [
  '10.213.0.0/16',
  '172.30.0.0/16',
  '10.87.0.0/16',
  '192.168.192.0/18',
  '172.26.0.0/16',
];

/**
 * Returns the first range that overlaps no route of the server. An overlap would make the server
 * unreachable, including SSH.
 * @param routes destinations as in `ip route`: `10.0.0.0/24`, `10.0.0.1`, `default`
 */
export function chooseAddressPool(routes: readonly string[]): AddressPool | undefined {
  const base = candidates.find((candidate) => !routes.some((route) => overlap(candidate, route)));
  return base === undefined ? undefined : { base, size: 24 };
}

/** Returns whether two ranges overlap: one contains the first address of the other. */
export function overlap(one: string, other: string): boolean {
  return holds(one, first(other)) || holds(other, first(one));
}

function first(range: string): string {
  return range.split('/')[0] ?? range;
}

function holds(range: string, address: string): boolean {
  const [base = '', prefix = '32'] = range.split('/');
  if (!/^[0-9.]+$/.test(base) || !/^[0-9.]+$/.test(address)) return false;
  const list = new BlockList();
  list.addSubnet(base, Number(prefix), 'ipv4');
  return list.check(address, 'ipv4');
}
