import { readdir, rm, rmdir, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { modelBlobPath } from '#contract/bundle/bundle-paths.ts';
import type { ModelName } from '#contract/bundle/model-name.ts';
import type { Release } from '#contract/bundle/release.ts';
import { LandfallError } from '#contract/errors.ts';
import { type Digest, digestOf, hexOf } from '#contract/trust/digest.ts';
import { FolderHandle } from '#files/folder-handle.ts';
import { readRegular } from '#files/open-regular.ts';
import { replaceFile } from '#files/replace-file.ts';
import type { Host } from '../../server/host/host.ts';
import {
  blobPath,
  blobsOfModel,
  type ModelBlob,
  manifestPath,
  maxManifest,
} from '../../server/ollama/store.ts';
import type { Reporter } from '../../server/stage/reporter.ts';
import { asDiskFull, needRoomForCopy } from './disk-space.ts';
import { layOutBlob } from './lay-out-blob.ts';

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

/**
 * Opens a folder in Ollama's store, and creates it world-readable like Ollama's own. The store is
 * untrusted, because Ollama writes there: a symbolic link would lead a root process out of the volume
 * (docs/decisions/0051-files-in-ollamas-volume.md). Existing folders keep their permissions.
 * @param store absolute path; its parent is created by Docker
 * @param folder relative to the store, such as `blobs`; default: the store itself
 * @throws LandfallError MODEL_FAILED
 */
async function openStoreFolder(store: string, folder = ''): Promise<FolderHandle> {
  const names = [basename(store), ...folder.split('/').filter((name) => name !== '')];
  let path = dirname(store);
  let found = await FolderHandle.open(path);
  for (const name of names) {
    await using parent = found;
    path = join(path, name);
    found = await parent.makeFolder(name).catch((error: unknown) => {
      throw isNoFolder(error) ? notAFolder(path, error) : error;
    });
  }
  return found;
}

function isNoFolder(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(?:ENOTDIR|ELOOP)$/.test(`${error.code}`);
}

function notAFolder(path: string, cause: unknown): LandfallError {
  return new LandfallError('MODEL_FAILED', `${path} is not a folder`, {
    hint: 'Find out which program created it, then remove it: only Ollama writes to its store.',
    cause,
  });
}

interface LockedManifest {
  /** Verbatim, because Ollama shows their SHA-256. */
  readonly bytes: Buffer;
  readonly blobs: readonly ModelBlob[];
}

/**
 * Reads the manifest of a bundled model.
 * @param releaseFolder absolute path
 * @throws LandfallError MODEL_FAILED if it does not match the release, or blobs are missing
 */
async function readLockedManifest(
  { files }: Pick<Release, 'files'>,
  releaseFolder: string,
  manifest: Digest,
): Promise<LockedManifest> {
  const path = join(releaseFolder, modelBlobPath(manifest));
  const bytes = await readRegular(path, maxManifest, { follow: false });
  if (!bytes || digestOf(bytes) !== manifest) {
    throw damaged(`${modelBlobPath(manifest)} does not match the release`);
  }
  const blobs = blobsOfModel(bytes);
  if (!blobs) throw damaged(`${modelBlobPath(manifest)} is not a model manifest`);
  const sizes = new Map(files.map(({ path, size }) => [path, size]));
  const missing = blobs.find(({ digest, size }) => sizes.get(modelBlobPath(digest)) !== size);
  if (missing) throw damaged(`${modelBlobPath(missing.digest)} is not in the release`);
  return { bytes, blobs };
}

function damaged(message: string): LandfallError {
  return new LandfallError('MODEL_FAILED', message, {
    hint: 'Download the release again: remove its folder and start landfall-boot.',
  });
}
