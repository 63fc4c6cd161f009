import { readdir, rm, rmdir, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { modelBlobPath } from '#contract/bundle/bundle-paths.ts';
import type { ModelName } from '#contract/bundle/model-name.ts';
import type { Release } from '#contract/bundle/release.ts';
import { type Digest, hexOf } from '#contract/trust/digest.ts';
import type { FolderHandle } from '#files/folder-handle.ts';
import { replaceFile } from '#files/replace-file.ts';
import type { Host } from '../host/host.ts';
import { blobPath, manifestPath } from '../ollama/store.ts';
import type { Reporter } from '../stage/reporter.ts';
import { asDiskFull, needRoomForCopy } from './disk-space.ts';
import { layOutBlob } from './lay-out-blob.ts';
import { readLockedManifest } from './locked-manifest.ts';
import { openStoreFolder } from './store-folder.ts';

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
 * Ollama can change its store meanwhile, so every path in it starts at the handle of an open folder.
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
  let done = 0;
  const onBytes = (count: number) => {
    done += count;
    report.progress({ done, total, unit: 'bytes' });
  };
  await using top = await openStoreFolder(host.path(store));
  await dropUnfinished(top);
  try {
    await using target = await openStoreFolder(host.path(store), 'blobs');
    await using unfinished = await openStoreFolder(host.path(store), unfinishedFolder);
    for (const blob of blobs) {
      const paths = {
        source: join(releaseFolder, modelBlobPath(blob.digest)),
        unfinished: unfinished.path(hexOf(blob.digest)),
        target: target.path(basename(blobPath(blob.digest))),
      };
      await layOutBlob(paths, blob, onBytes);
    }
    await target.sync();
    await putManifest(layout, name, bytes, unfinished);
  } catch (error) {
    throw asDiskFull(error);
  } finally {
    await dropUnfinished(top);
  }
}

/** Writes the manifest through another folder, because Ollama lists each file here as a model. */
async function putManifest(
  { host, store }: Layout,
  name: ModelName,
  bytes: Buffer,
  unfinished: FolderHandle,
): Promise<void> {
  const path = manifestPath(name);
  await using folder = await openStoreFolder(host.path(store), dirname(path));
  const options = { mode: 0o644, unfinished: unfinished.path('manifest') };
  await replaceFile(folder.path(basename(path)), bytes, options);
}

/**
 * Removes our temporary files, and the folder if it is empty. Never recursive: Ollama could replace a
 * folder by a link to a folder of the server.
 */
async function dropUnfinished(store: FolderHandle): Promise<void> {
  const folder = await store.openFolder(unfinishedFolder).catch(() => undefined);
  if (!folder) return await rm(store.path(unfinishedFolder), { force: true });
  await using found = folder;
  for (const name of await readdir(found.path())) await unlink(found.path(name)).catch(ignore);
  await rmdir(store.path(unfinishedFolder)).catch(ignore);
}

/** A folder that Ollama created there stays. */
function ignore(): void {}
