import { randomUUID } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { type Digest, digestOf, hexOf } from '#contract/trust/digest.ts';
import { replaceFile } from '#files/replace-file.ts';
import { makeFolder } from '../../base/files/folder.ts';
import type { Descriptor } from './blob.ts';
import { diskError } from './disk-errors.ts';
import { PartialFile } from './partial-file.ts';

/**
 * A folder of blobs, named by digest: `blobs/sha256/<hex>` holds complete, verified blobs;
 * `partial/` holds unfinished ones. Safe for concurrent builds.
 */
export class BlobStore {
  readonly folder: string;
  readonly #partials: string;

  /** The folder must be a store already; `open` ensures that. */
  constructor(folder: string) {
    this.folder = folder;
    this.#partials = join(folder, 'partial');
  }

  /**
   * Opens a store, creating it if necessary. Default: `$XDG_CACHE_HOME/landfall`, else
   * `~/.cache/landfall`. Mode 0700, because images may be private.
   * @throws LandfallError FILE_ACCESS, DISK_FULL
   */
  static async open(folder = defaultFolder()): Promise<BlobStore> {
    const store = new BlobStore(folder);
    await explained('create the cache', folder, async () => {
      await makeFolder(folder, 0o700);
      await makeFolder(join(folder, 'blobs', 'sha256'));
      await makeFolder(store.#partials);
      await sweepPartials(store.#partials);
    });
    return store;
  }

  /** Returns the path of a blob, whether it exists or not. */
  path(digest: Digest): string {
    return join(this.folder, 'blobs', 'sha256', hexOf(digest));
  }

  /** Returns whether a blob of this digest and exact size exists. Does not hash it. */
  async has({ digest, size }: Descriptor): Promise<boolean> {
    return stat(this.path(digest)).then(
      (found) => found.isFile() && found.size === size,
      () => false,
    );
  }

  /** Starts or resumes the download of a blob. @throws LandfallError FILE_ACCESS, DISK_FULL */
  claim(digest: Digest): Promise<PartialFile> {
    return explained('write into', this.#partials, () => PartialFile.claim(this.#partials, digest));
  }

  /** Stores bytes and returns their descriptor. @throws LandfallError FILE_ACCESS, DISK_FULL */
  async put(bytes: Buffer, mediaType: string): Promise<Descriptor> {
    const descriptor = { mediaType, digest: digestOf(bytes), size: bytes.length };
    if (await this.has(descriptor)) return descriptor;
    const target = this.path(descriptor.digest);
    const unfinished = join(this.#partials, `new-${randomUUID()}`);
    await explained('write', target, () => replaceFile(target, bytes, { mode: 0o644, unfinished }));
    return descriptor;
  }
}

/** Relative paths are ignored, as the XDG base directory specification requires. */
function defaultFolder(): string {
  const base = process.env.XDG_CACHE_HOME ?? '';
  return join(isAbsolute(base) ? base : join(homedir(), '.cache'), 'landfall');
}

async function explained<T>(action: string, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw diskError(error, { action, path });
  }
}

/** Long enough to resume after a holiday, short enough to limit disk usage. */
const keptMs = 14 * 24 * 60 * 60 * 1000;

/** Removes partial blobs that have not changed for two weeks. */
async function sweepPartials(folder: string, now = Date.now()): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found?.isFile() && now - found.mtimeMs > keptMs) await rm(path, { force: true });
  }
}
