import type { Release } from '#contract/bundle/release.ts';
import { amount } from '../amount.ts';
import type { Pair } from '../sides/side.ts';
import type { UpdateCost } from './update-cost.ts';

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

/** Returns the assumptions of the summary. */
export function updateAssumptions({ obstacle, moved, images }: UpdateCost): string[] {
  if (obstacle) return [];
  const files = [
    'Files are compared by SHA-256: this assumes that the server has every file of the first release.',
    'Signatures and tar headers are not counted.',
  ];
  const layers = [
    'Images are counted in full, even if Docker has some of their layers.',
    'A site can disable optional components.',
  ];
  return [
    ...(moved.items > 0 ? [files.join(' ')] : []),
    ...(images.items > 0 ? [layers.join(' ')] : []),
  ];
}
