import type { Problem } from '#contract/errors.ts';
import { type DiskNeeds, diskNeeds, spaceNeeded, systemSpace } from '#contract/sizes/disk-needs.ts';
import { formatBytes } from '#contract/text/amount.ts';
import { inLanguage } from '#contract/text/language.ts';
import { type FreeSpace, freeSpace } from '../../server/host/free-space.ts';
import type { Context } from '../../server/stage/stage.ts';
import { imageFolder, imageStoreFor } from './public.ts';

/** The disk plan of a release, or why it does not fit. */
interface DiskDecision {
  readonly dropBlobs: boolean;
  readonly keepPrevious: boolean;
  /** Remaining bytes. */
  readonly spare: number;
  /** Set if even the smallest option does not fit. */
  readonly refusal?: Problem;
}

/**
 * Returns the first option that fits: keep the blobs and space for the next release; remove the blobs
 * after the import of the images; reserve no space for the next release.
 * @param free free bytes on the device, after the bundle was unpacked
 */
export function planDisk(needs: DiskNeeds, free: number): DiskDecision {
  const options = [
    { dropBlobs: false, keepPrevious: true },
    { dropBlobs: true, keepPrevious: true },
    { dropBlobs: false, keepPrevious: false },
    { dropBlobs: true, keepPrevious: false },
  ].filter(({ dropBlobs }) => !dropBlobs || needs.blobs > 0);
  const option = options.find((candidate) => spaceNeeded(needs, candidate) <= free);
  if (option) return { ...option, spare: free - spaceNeeded(needs, option) };
  const minimal = { dropBlobs: needs.blobs > 0, keepPrevious: false, spare: 0 };
  return { ...minimal, refusal: refusal(needs, free, spaceNeeded(needs, minimal)) };
}

function refusal(needs: DiskNeeds, free: number, needed: number): Problem {
  const choices = [...Object.entries(needs.optional), ...Object.entries(needs.models)]
    .sort(([, one], [, other]) => other - one)
    .map(([name, size]) => `${name} (${formatBytes(size)})`);
  const leaveOut = choices.length === 0 ? '' : `, or leave out ${choices.join(', ')}`;
  const without = choices.length === 0 ? '' : `，或去掉 ${choices.join('、')}`;
  return {
    message: inLanguage({
      en: `not enough disk space: ${formatBytes(free)} free, ${formatBytes(needed)} needed`,
      zh: `磁盘空间不足：剩余 ${formatBytes(free)}，需要 ${formatBytes(needed)}`,
    }),
    hint: inLanguage({
      en: `Use a disk with ${formatBytes(needed - free)} more${leaveOut}.`,
      zh: `把磁盘加大 ${formatBytes(needed - free)}${without}。`,
    }),
  };
}

/** Docker's volumes, which include the models. */
const modelFolder = 'var/lib/docker';
/** Free space per purpose; folders on the same device share it. */
interface DiskSpace {
  readonly images: FreeSpace;
  readonly models: FreeSpace;
  /** The root folder, which holds releases and swap. */
  readonly root: FreeSpace;
}

interface DecidedDisk extends Omit<DiskDecision, 'refusal'> {
  readonly needs: DiskNeeds;
  /** Empty if the release fits. */
  readonly refusals: readonly Problem[];
}

/** Measures the free space for images, models and releases. */
export async function diskSpace(context: Context): Promise<DiskSpace> {
  const { host } = context;
  const [images, models, root] = await Promise.all([
    freeSpace(host, imageFolder[await imageStoreFor(context)]),
    freeSpace(host, modelFolder),
    freeSpace(host, '.'),
  ]);
  return { images, models, root };
}

/**
 * Plans the disks of a server by their current free space. Images and models may be on two devices.
 * Files of the bundle are in the root folder: on another device they free no space and share none.
 */
export async function decideDisk(context: Context): Promise<DecidedDisk> {
  const store = await imageStoreFor(context);
  const needs = diskNeeds(context.release, context.site, context.server, store);
  const { images, models, root } = await diskSpace(context);
  const isApart = images.device !== models.device;
  const disks = [
    { space: images, name: `/${imageFolder[store]} (images)`, needs: isApart ? noModels : {} },
    ...(isApart ? [{ space: models, name: `/${modelFolder} (models)`, needs: noImages }] : []),
  ];
  const plans = disks.map(({ space, name, needs: part }) => {
    const isRoot = space.device === root.device;
    const bundle = isRoot ? {} : { blobs: 0, carried: 0 };
    const { refusal, ...plan } = planDisk({ ...needs, ...bundle, ...part }, space.free);
    const message = isApart ? `${name}: ${refusal?.message}` : refusal?.message;
    return { ...plan, isRoot, refusals: refusal ? [{ ...refusal, message: `${message}` }] : [] };
  });
  const onRoot = plans.find(({ isRoot }) => isRoot);
  return {
    needs,
    dropBlobs: plans.some(({ dropBlobs }) => dropBlobs),
    keepPrevious: plans.every(({ keepPrevious }) => keepPrevious),
    spare: onRoot?.spare ?? root.free - systemSpace,
    refusals: [
      ...plans.flatMap(({ refusals }) => refusals),
      ...(onRoot ? [] : rootRefusals(root.free)),
    ],
  };
}

const noModels = { models: {}, carried: 0 };
const noImages = { images: 0, optional: {}, downloads: 0 };

function rootRefusals(free: number): Problem[] {
  if (free >= systemSpace) return [];
  const message = inLanguage({
    en: `not enough disk space in the root folder: ${formatBytes(free)} free, ${formatBytes(systemSpace)} needed`,
    zh: `根目录的磁盘空间不足：剩余 ${formatBytes(free)}，需要 ${formatBytes(systemSpace)}`,
  });
  const hint = inLanguage({
    en: 'Free some space there, or use a larger disk.',
    zh: '释放那里的空间，或换用更大的磁盘。',
  });
  return [{ message, hint }];
}
