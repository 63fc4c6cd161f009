import { BlockList } from 'node:net';

/**
 * Returns whether two ranges of IPv4 overlap: one contains the first address of the other. False for other
 * texts, such as `default`.
 */
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
