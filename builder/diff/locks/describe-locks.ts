import type { LockedFile, LockedImage } from '../../lock/lock.ts';
import type { LockedModel } from '../../lock/locked-model.ts';
import { isGguf } from '../../lock/locked-model.ts';
import { amount } from '../amount.ts';
import type { Cost } from '../cost.ts';
import { rowsOf, type Section, type ShownFields } from '../report.ts';
import { shownDigest, shownFact, shownSize } from '../shown.ts';
import type { LockChanges } from './compare-locks.ts';
import type { LockCost } from './lock-cost.ts';

/** Returns the differences between two lock files as tables. */
export function lockSections({ facts, components, runtime, models }: LockChanges): Section[] {
  return [
    { title: 'lock file', rows: rowsOf(facts, (value) => ({ '': shownFact(value) })) },
    { title: 'components', rows: rowsOf(components, imageFields) },
    { title: 'runtime', rows: rowsOf(runtime, fileFields) },
    { title: 'models', rows: rowsOf(models, modelFields) },
  ];
}

/** Returns sentences about the size of what changed. */
export function lockSummary({ images, files, models }: LockCost): string[] {
  const byPlatform = Object.keys(images).flatMap((platform) => {
    const parts = [
      amountOf(images[platform], 'changed image'),
      amountOf(files[platform], 'changed file'),
    ].flat();
    return parts.length > 0 ? [`For ${platform}: ${parts.join('; ')}.`] : [];
  });
  const changed = amountOf(models, 'changed model');
  return [...byPlatform, ...changed.map((text) => `Models: ${text}.`)];
}

function amountOf(cost: Cost | undefined, what: string): string[] {
  return cost && cost.items > 0 ? [amount(cost, what)] : [];
}

function imageFields({ image, index, platforms }: LockedImage): ShownFields {
  const byPlatform = Object.entries(platforms).flatMap(([platform, { manifest, config, size }]) => {
    const arch = platform.replace('linux/', '');
    return [
      [`manifest ${arch}`, { ...shownDigest(manifest), detail: true }],
      [`config ${arch}`, { ...shownDigest(config), detail: true }],
      [`size ${arch}`, shownSize(size)],
    ] as const;
  });
  return { image: { short: image }, index: shownDigest(index), ...Object.fromEntries(byPlatform) };
}

function fileFields({ urls, sha256, size }: LockedFile): ShownFields {
  return {
    source: { short: urls.join(' ') },
    'SHA-256': shownDigest(sha256),
    size: shownSize(size),
  };
}

function modelFields(model: LockedModel): ShownFields {
  return isGguf(model)
    ? {
        GGUF: { short: model.gguf },
        'SHA-256': shownDigest(model.sha256),
        size: shownSize(model.size),
      }
    : { manifest: shownDigest(model.manifest), size: shownSize(model.size) };
}
