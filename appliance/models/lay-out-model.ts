import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { modelBlobPath } from '#contract/bundle/bundle-paths.ts';
import type { ModelName } from '#contract/bundle/model-name.ts';
import type { Release } from '#contract/bundle/release.ts';
import { type Digest, hexOf } from '#contract/trust/digest.ts';
import { replaceFile } from '#files/replace-file.ts';
import { syncFolder } from '#files/sync-folder.ts';
import type { Host } from '../host/host.ts';
import { blobPath, manifestPath } from '../ollama/store.ts';
import type { Reporter } from '../stage/reporter.ts';
import { type BlobPlaces, layOutBlob } from './lay-out-blob.ts';
import { readLockedManifest } from './locked-manifest.ts';
import { asDiskFull, needRoomForCopy } from './room.ts';
import { makeStoreFolder } from './store-folder.ts';

/** Beside the store's own folders: the engine looks into none but those. */
const unfinishedFolder = 'landfall-new';

/** Where a model comes from and goes to. */
interface Layout {
  readonly host: Host;
  readonly release: Pick<Release, 'files'>;
  /** Absolute. */
  readonly releaseFolder: string;
  /** The engine's, from the root folder. */
  readonly store: string;
}

/**
 * Lays a model that the bundle brought along out in the engine's store: every blob verified, and
 * the manifest last, so that the engine sees the model whole or not at all. The engine need not be
 * told; it reads the folder when it is asked.
 * @param manifest digest of the manifest that the release has locked
 * @throws LandfallError MODEL_FAILED, BLOB_DIGEST where the release is damaged; DISK_FULL
 */
export async function layOutModel(
  layout: Layout,
  name: ModelName,
  manifest: Digest,
  report: Reporter,
): Promise<void> {
  const { host, release, releaseFolder, store } = layout;
  const { bytes, blobs } = await readLockedManifest(release, releaseFolder, manifest);
  const total = blobs.reduce((sum, { size }) => sum + size, 0);
  await needRoomForCopy(host, releaseFolder, store, total);
  const unfinished = host.path(store, unfinishedFolder);
  await rm(unfinished, { recursive: true, force: true });
  let done = 0;
  const onBytes = (count: number) => {
    done += count;
    report.progress({ done, total, unit: 'bytes' });
  };
  try {
    for (const folder of ['blobs', unfinishedFolder]) {
      await makeStoreFolder(host.path(store), folder);
    }
    for (const blob of blobs) await layOutBlob(placesOf(layout, blob.digest), blob, onBytes);
    await syncFolder(host.path(store, 'blobs'));
    await putManifest(layout, name, bytes);
  } catch (error) {
    throw asDiskFull(error);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

function placesOf({ host, releaseFolder, store }: Layout, digest: Digest): BlobPlaces {
  return {
    source: join(releaseFolder, modelBlobPath(digest)),
    unfinished: host.path(store, unfinishedFolder, hexOf(digest)),
    target: host.path(store, blobPath(digest)),
  };
}

/** Any name beside the manifest's own would be one more model to the engine. */
async function putManifest({ host, store }: Layout, name: ModelName, bytes: Buffer): Promise<void> {
  const unfinished = host.path(store, unfinishedFolder, 'manifest');
  await makeStoreFolder(host.path(store), dirname(manifestPath(name)));
  await replaceFile(host.path(store, manifestPath(name)), bytes, { mode: 0o644, unfinished });
}
