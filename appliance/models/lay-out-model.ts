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
import { type BlobPaths, layOutBlob } from './lay-out-blob.ts';
import { readLockedManifest } from './locked-manifest.ts';
import { asDiskFull, needRoomForCopy } from './room.ts';
import { makeStoreFolder } from './store-folder.ts';

/** A folder in the store that Ollama does not read. */
const unfinishedFolder = 'landfall-new';

/** The source and the target of an import. */
interface Layout {
  readonly host: Host;
  readonly release: Pick<Release, 'files'>;
  /** Absolute path. */
  readonly releaseFolder: string;
  /** Ollama's store, relative to the root folder. */
  readonly store: string;
}

/**
 * Imports a model of the bundle into Ollama's store. Every blob is verified, and the manifest is
 * written last, so that Ollama never lists an incomplete model. Ollama reads the folder on each request.
 * @param manifest digest of the manifest in the release
 * @throws LandfallError MODEL_FAILED, BLOB_DIGEST if the release is damaged; DISK_FULL
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
    for (const blob of blobs) await layOutBlob(pathsOf(layout, blob.digest), blob, onBytes);
    await syncFolder(host.path(store, 'blobs'));
    await putManifest(layout, name, bytes);
  } catch (error) {
    throw asDiskFull(error);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

function pathsOf({ host, releaseFolder, store }: Layout, digest: Digest): BlobPaths {
  return {
    source: join(releaseFolder, modelBlobPath(digest)),
    unfinished: host.path(store, unfinishedFolder, hexOf(digest)),
    target: host.path(store, blobPath(digest)),
  };
}

/** Writes the manifest through another folder, because Ollama lists each file here as a model. */
async function putManifest({ host, store }: Layout, name: ModelName, bytes: Buffer): Promise<void> {
  const unfinished = host.path(store, unfinishedFolder, 'manifest');
  await makeStoreFolder(host.path(store), dirname(manifestPath(name)));
  await replaceFile(host.path(store, manifestPath(name)), bytes, { mode: 0o644, unfinished });
}
