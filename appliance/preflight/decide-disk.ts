import type { Problem } from '#contract/errors.ts';
import { type FreeSpace, freeSpace } from '../host/free-space.ts';
import type { Context } from '../stage/stage.ts';
import { type DiskDecision, type DiskNeeds, diskNeeds, planDisk } from './plan-disk.ts';
import { imageFolder, imageStoreFor } from './public.ts';

/** Docker's volumes, which include the models. */
const modelFolder = 'var/lib/docker';
/** Space for packages, logs and system updates, without images and models. Bytes. */
export const systemSpace = 1.5e9;

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

/** Plans the disks of a server by their current free space. */
export async function decideDisk(context: Context): Promise<DecidedDisk> {
  const store = await imageStoreFor(context);
  const needs = diskNeeds(context.release, context.site, context.server, store);
  const space = await diskSpace(context);
  if (space.images.device !== space.models.device) {
    return decideApart(needs, space, imageFolder[store]);
  }
  const { refusal, ...rest } = decideTogether(needs, space);
  return { ...rest, needs, refusals: refusal ? [refusal] : [] };
}

/**
 * Plans for images and models on one device. Files of the bundle on another device free no space
 * there; swap is in the root folder.
 */
function decideTogether(needs: DiskNeeds, { images, root }: DiskSpace): DiskDecision {
  if (images.device === root.device) return planDisk(needs, images.free);
  return {
    ...planDisk({ ...needs, blobs: 0, carried: 0 }, images.free),
    spare: root.free - systemSpace,
  };
}

/** Plans for images and models on separate devices; one of them may be that of the root folder. */
function decideApart(
  needs: DiskNeeds,
  { images, models, root }: DiskSpace,
  folder: string,
): DecidedDisk {
  const [withImages, withModels] = [images, models].map(({ device }) => device === root.device);
  const forImages = planDisk(
    { ...needs, models: {}, carried: 0, blobs: withImages ? needs.blobs : 0 },
    images.free,
  );
  const forModels = planDisk(
    {
      ...{ images: 0, optional: {}, downloads: 0 },
      models: needs.models,
      carried: withModels ? needs.carried : 0,
      blobs: withModels ? needs.blobs : 0,
    },
    models.free,
  );
  const elsewhere = withModels ? forModels.spare : root.free - systemSpace;
  return {
    needs,
    dropBlobs: forImages.dropBlobs || forModels.dropBlobs,
    keepPrevious: forImages.keepPrevious && forModels.keepPrevious,
    spare: withImages ? forImages.spare : elsewhere,
    refusals: [
      ...refusalsFor(`/${folder} (images)`, forImages),
      ...refusalsFor(`/${modelFolder} (models)`, forModels),
    ],
  };
}

function refusalsFor(subject: string, { refusal }: DiskDecision): Problem[] {
  return refusal ? [{ ...refusal, message: `${subject}: ${refusal.message}` }] : [];
}
