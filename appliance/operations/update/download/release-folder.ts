import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { blobsFolder, modelsFolder } from '#contract/bundle/bundle-paths.ts';
import { decodeNewerRelease } from '#contract/bundle/decode-release.ts';
import { headMembers, manifestName } from '#contract/bundle/head.ts';
import type { Release, ReleaseFile } from '#contract/bundle/release.ts';
import { LandfallError } from '#contract/errors.ts';
import { nodeBinary, releasesFolder } from '#contract/server-paths.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import { readRegular } from '#files/open-regular.ts';
import { syncFolder } from '#files/sync-folder.ts';
import { writeText } from '../../../server/host/files.ts';
import type { Host } from '../../../server/host/host.ts';
import { syncDisks } from '../../../server/host/packages/pending-sync.ts';
import { readChunks } from '../../../server/host/read-chunks.ts';
import { throughPipes } from '../../../server/host/run/pipes.ts';
import { engineStore, hasBlob } from '../../../server/ollama/store.ts';

/** Bytes. */
const maxManifest = headMembers[0]?.maxBytes ?? 0;

/** Ends the names of the folders of an incomplete release, and of its incomplete files, as in the bootstrap. */
const unfinished = '.new';
const partialFiles = '.new.own';

/** Returns the folder of a release, relative to the root folder. */
export function folderOf({ version, arch }: Pick<Release, 'version' | 'arch'>): string {
  return `${releasesFolder}/${version}-${arch}`;
}

/** Returns release.json of a release; undefined if it is missing or too large. */
export async function readManifest(host: Host, folder: string): Promise<Uint8Array | undefined> {
  return await readRegular(host.path(folder, manifestName), maxManifest);
}

/** Returns whether this release is complete on this server. @param manifest SHA-256 of its release.json */
export async function isComplete(host: Host, folder: string, manifest: string): Promise<boolean> {
  const bytes = await readManifest(host, folder);
  return bytes !== undefined && sha256Hex(bytes) === manifest;
}

/** Two folders of an incomplete release, relative to the root folder. */
export interface UnfinishedFolder {
  /** Gets complete files. */
  readonly files: string;
  /** Has incomplete files, named by their SHA-256. */
  readonly partial: string;
}

/** Starts or continues the folder of a release. What another release of the same name left is removed. */
export async function beginFolder(
  host: Host,
  folder: string,
  manifest: Uint8Array,
): Promise<UnfinishedFolder> {
  const [files, partial] = [`${folder}${unfinished}`, `${folder}${partialFiles}`];
  if (!(await isComplete(host, files, sha256Hex(manifest)))) {
    await wipe(host, files, partial);
    await mkdir(host.path(files), { recursive: true, mode: 0o700 });
    await writeText(host, `${files}/${manifestName}`, manifest);
  }
  await mkdir(host.path(partial), { recursive: true, mode: 0o700 });
  return { files, partial };
}

/** Returns the folder of a complete release, to add files to it. */
export async function extendFolder(host: Host, folder: string): Promise<UnfinishedFolder> {
  const partial = `${folder}${partialFiles}`;
  await mkdir(host.path(partial), { recursive: true, mode: 0o700 });
  return { files: folder, partial };
}

export async function removePartial(host: Host, folder: string): Promise<void> {
  await wipe(host, `${folder}${partialFiles}`);
}

/** Unpacks Node, and gives a filled folder its name when all of it is on disk. */
export async function completeFolder(host: Host, folder: string): Promise<void> {
  const next = `${folder}${unfinished}`;
  const target = host.path(next, 'runtime');
  const archive = host.path(next, `${nodeBinary}.tgz`);
  const args = ['-xzf', archive, '-C', target, '--strip-components=2', 'package/bin/node'];
  await host.run(...throughPipes('tar', args), { seconds: 600 });
  await syncDisks(host);
  // A damaged folder of the same name, which is not the running release.
  await wipe(host, folder);
  await rename(host.path(next), host.path(folder));
  await wipe(host, `${folder}${partialFiles}`);
  await syncFolder(host.path(releasesFolder));
}

/** Removes a release that is not installed, and what an interrupted download left. */
export async function removeDownload(
  host: Host,
  { arch, version: running }: Pick<Release, 'arch' | 'version'>,
  version: string,
): Promise<void> {
  if (version === running) return;
  const folder = folderOf({ version, arch });
  await wipe(host, `${folder}${unfinished}`, `${folder}${partialFiles}`, folder);
  await syncFolder(host.path(releasesFolder));
}

async function wipe(host: Host, ...folders: readonly string[]): Promise<void> {
  for (const folder of folders) await rm(host.path(folder), { recursive: true, force: true });
}

/** Identifies the content and the mode of a file: a hard link shares both. */
function identityOf({ sha256, size, executable }: ReleaseFile): string {
  return `${sha256} ${size} ${executable}`;
}

/**
 * Returns the files of the complete releases on this server by their identity. They may be missing or
 * damaged: their digest must be verified.
 * @returns absolute paths
 */
async function filesOfReleases(host: Host): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const name of await readdir(host.path(releasesFolder))) {
    const bytes = await readManifest(host, `${releasesFolder}/${name}`);
    if (!bytes || name.includes(unfinished)) continue;
    for (const file of filesIn(bytes))
      found.set(identityOf(file), join(host.path(releasesFolder, name), file.path));
  }
  return found;
}

/** Returns no files for a damaged manifest. */
function filesIn(manifest: Uint8Array): readonly ReleaseFile[] {
  try {
    return decodeNewerRelease(manifest).release.files;
  } catch (error) {
    if (error instanceof LandfallError) return [];
    throw error;
  }
}

/**
 * Returns the files of a release that must be transferred. Links those of other releases, verifies what
 * is here, and leaves out what this server has elsewhere: the disk plan removes files that Docker and
 * Ollama have imported. If Docker does not have such a layer any more, it is fetched later.
 * @param folder of the release, relative to the root folder
 */
export async function missingFiles(
  host: Host,
  folder: string,
  files: readonly ReleaseFile[],
): Promise<ReleaseFile[]> {
  const known = await filesOfReleases(host);
  const hasModels = files.some(isOfModel);
  const store = hasModels ? await engineStore(host) : undefined;
  const missing: ReleaseFile[] = [];
  for (const file of files) {
    const path = host.path(folder, file.path);
    if (await hasDigest(path, file)) continue;
    await rm(path, { force: true });
    const other = known.get(identityOf(file));
    if (other && (await hasDigest(other, file))) {
      await mkdir(dirname(path), { recursive: true, mode: 0o755 });
      await link(other, path);
    } else if (!(await isImported(file, { host, other, store }))) missing.push(file);
  }
  return missing;
}

interface Elsewhere {
  readonly host: Host;
  /** Absolute path of the file in another release, which may be missing. */
  readonly other: string | undefined;
  /** Ollama's store. */
  readonly store: string | undefined;
}

/** Returns whether Docker probably has a layer, or whether Ollama has a model's blob. */
async function isImported(file: ReleaseFile, { host, other, store }: Elsewhere): Promise<boolean> {
  if (isOfModel(file)) {
    const { sha256, size } = file;
    return (
      store !== undefined && (await hasBlob(host, store, { digest: `sha256:${sha256}`, size }))
    );
  }
  return file.path.startsWith(`${blobsFolder}/`) && other !== undefined && !existsSync(other);
}

function isOfModel({ path }: ReleaseFile): boolean {
  return path.startsWith(`${modelsFolder}/`);
}

async function hasDigest(path: string, { size, sha256 }: ReleaseFile): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile() || found.size !== size) return false;
  const hash = createHash('sha256');
  for await (const chunk of readChunks(path)) hash.update(chunk);
  return hash.digest('hex') === sha256;
}
