import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, mkdir, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { blobsFolder, modelsFolder } from '#contract/bundle/bundle-paths.ts';
import type { ReleaseFile } from '#contract/bundle/release.ts';
import type { Host } from '../../../server/host/host.ts';
import { readChunks } from '../../../server/host/read-chunks.ts';
import { engineStore, hasBlob } from '../../../server/ollama/store.ts';
import { filesOfReleases, identityOf } from './release-folder.ts';

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
