import type { Release } from '#contract/bundle/release.ts';
import type { Cost, UpdateCost } from '#contract/bundle/update-cost.ts';
import { formatBytes } from '#contract/text/amount.ts';
import type { Pair } from './sides.ts';

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

/** Returns `landfall 1.2.0 → 1.3.0 for amd64, thin`. */
export function releaseTitle({ before, after }: Pair<Release>): string {
  const both = (field: 'product' | 'version' | 'arch' | 'kind') =>
    before[field] === after[field] ? after[field] : `${before[field]} → ${after[field]}`;
  return `${both('product')} ${both('version')} for ${both('arch')}, ${both('kind')}`;
}

/** Returns sentences about what an update transfers. */
export function updateSummary({ before, after }: Pair<Release>, cost: UpdateCost): string[] {
  const { moved, kept, images, models, obstacle } = cost;
  const obstacles = {
    product: 'No update is possible between different products.',
    arch: 'No update is possible between different architectures.',
    older: `No update is possible: ${after.version} is older than ${before.version}.`,
    'updates-from': `A direct update is not possible: ${after.version} requires ${after.updatesFrom} or later.`,
  };
  if (obstacle) return [obstacles[obstacle]];
  return [
    `An update moves ${amount(moved, 'file')}. Already on the server: ${amount(kept, 'file')}.`,
    ...(images.items > 0 ? [`The server pulls at most ${amount(images, 'changed image')}.`] : []),
    ...(models.items > 0 ? [`The server pulls at most ${amount(models, 'changed model')}.`] : []),
  ];
}
