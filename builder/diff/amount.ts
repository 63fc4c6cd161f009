import { formatBytes } from '#contract/text/format-bytes.ts';
import type { Cost } from './cost.ts';

/** Returns `12.3 MB in 5 files and 1 file of unknown size`. */
export function amount({ items, bytes, unsized }: Cost, what: string): string {
  const sized = items - unsized;
  const parts = [
    ...(sized > 0 ? [`${formatBytes(bytes)} in ${counted(sized, what)}`] : []),
    ...(unsized > 0 ? [`${counted(unsized, what)} of unknown size`] : []),
  ];
  return parts.length > 0 ? parts.join(' and ') : `no ${what}s`;
}

function counted(items: number, what: string): string {
  return `${items} ${what}${items === 1 ? '' : 's'}`;
}
