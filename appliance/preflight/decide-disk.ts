import type { Problem } from '#contract/errors.ts';
import { type FreeSpace, freeSpace } from '../host/free-space.ts';
import type { Context } from '../stage/stage.ts';
import { type DiskNeeds, diskNeeds } from './disk-needs.ts';
import { imageFolder, imageStoreFor } from './image-store.ts';
import { type DiskDecision, planDisk } from './plan-disk.ts';

/** Where the engine keeps its volumes, models among them. */
const modelFolder = 'var/lib/docker';
/** For packages, logs and updates of the system, without images and models. Bytes. */
export const besideEngine = 1.5e9;

/** The room for what a release brings; folders on one disk share theirs. */
interface DiskPlaces {
  readonly images: FreeSpace;
  readonly models: FreeSpace;
  /** The root folder, where releases and swap lie. */
  readonly own: FreeSpace;
}

/** How the disks are shared out for a release, and what it needs of them. */
interface DecidedDisk extends Omit<DiskDecision, 'refusal'> {
  readonly needs: DiskNeeds;
  /** Empty where the release fits. */
  readonly refusals: readonly Problem[];
}

/** Looks at every disk that images, models and releases go to. */
export async function diskPlaces(context: Context): Promise<DiskPlaces> {
  const { host } = context;
  const [images, models, own] = await Promise.all([
    freeSpace(host, imageFolder[await imageStoreFor(context)]),
    freeSpace(host, modelFolder),
    freeSpace(host, '.'),
  ]);
  return { images, models, own };
}

/** Decides for the disks of a server as they are now. */
export async function decideDisk(context: Context): Promise<DecidedDisk> {
  const store = await imageStoreFor(context);
  const needs = diskNeeds(context.release, context.site, context.server, store);
  const places = await diskPlaces(context);
  if (places.images.device !== places.models.device) {
    return decideApart(needs, places, imageFolder[store]);
  }
  const { refusal, ...rest } = decideTogether(needs, places);
  return { ...rest, needs, refusals: refusal ? [refusal] : [] };
}

/** What the bundle has on one disk gives nothing to another, and swap lies in the root folder. */
function decideTogether(needs: DiskNeeds, { images, own }: DiskPlaces): DiskDecision {
  if (images.device === own.device) return planDisk(needs, images.free);
  return {
    ...planDisk({ ...needs, blobs: 0, carried: 0 }, images.free),
    spare: own.free - besideEngine,
  };
}

/** Images and models on a disk each; one of the two may be the one of the root folder. */
function decideApart(
  needs: DiskNeeds,
  { images, models, own }: DiskPlaces,
  folder: string,
): DecidedDisk {
  const [withImages, withModels] = [images, models].map(({ device }) => device === own.device);
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
  const elsewhere = withModels ? forModels.spare : own.free - besideEngine;
  return {
    needs,
    dropBlobs: forImages.dropBlobs || forModels.dropBlobs,
    keepPrevious: forImages.keepPrevious && forModels.keepPrevious,
    spare: withImages ? forImages.spare : elsewhere,
    refusals: [
      ...named(forImages, `for its images, in /${folder},`),
      ...named(forModels, `for its models, in /${modelFolder},`),
    ],
  };
}

function named({ refusal }: DiskDecision, place: string): Problem[] {
  return refusal ? [{ ...refusal, message: `${place} ${refusal.message}` }] : [];
}
