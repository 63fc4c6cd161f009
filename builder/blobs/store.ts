import { randomUUID } from 'node:crypto';
import { constants, copyFile, link, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { type Digest, digestOf, hexOf } from '#contract/trust/digest.ts';
import { makeFolder } from '../files/make-folder.ts';
import type { Descriptor } from './blob.ts';
import { diskError } from './disk-errors.ts';
import { PartialFile } from './partial-file.ts';
import { sweepPartials } from './sweep.ts';

/**
 * A folder of blobs under their digests: `blobs/sha256/<hex>` holds complete and verified ones
 * only, `partial/` what is on its way there. Shared by any number of builds at a time.
 */
export class BlobStore {
  readonly folder: string;
  readonly #partials: string;

  /** A folder that is known to be a store; `open` makes sure of it. */
  constructor(folder: string) {
    this.folder = folder;
    this.#partials = join(folder, 'partial');
  }

  /**
   * Opens a store, and makes one where there is none. Default: `$XDG_CACHE_HOME/landfall`, else
   * `~/.cache/landfall`. Private to its owner, as images may be.
   * @throws LandfallError FILE_ACCESS, DISK_FULL
   */
  static async open(folder = defaultFolder()): Promise<BlobStore> {
    const store = new BlobStore(folder);
    await explained('make the cache', folder, async () => {
      await makeFolder(folder, 0o700);
      await makeFolder(join(folder, 'blobs', 'sha256'));
      await makeFolder(store.#partials);
      await sweepPartials(store.#partials);
    });
    return store;
  }

  /** Where a blob is, or would be. */
  path(digest: Digest): string {
    return join(this.folder, 'blobs', 'sha256', hexOf(digest));
  }

  /** Tells whether a blob of this digest and exact size is there. A look at the folder, no hash. */
  async has({ digest, size }: Descriptor): Promise<boolean> {
    return stat(this.path(digest)).then(
      (found) => found.isFile() && found.size === size,
      () => false,
    );
  }

  /** Begins or takes up the download of a blob. @throws LandfallError FILE_ACCESS, DISK_FULL */
  claim(digest: Digest): Promise<PartialFile> {
    return explained('write into', this.#partials, () => PartialFile.claim(this.#partials, digest));
  }

  /** Stores bytes in memory and gives their descriptor. @throws LandfallError FILE_ACCESS, DISK_FULL */
  async put(bytes: Buffer, mediaType: string): Promise<Descriptor> {
    const descriptor = { mediaType, digest: digestOf(bytes), size: bytes.length };
    if (await this.has(descriptor)) return descriptor;
    await this.#place(descriptor, async (path) => {
      const file = await open(path, 'wx', 0o644);
      try {
        await file.writeFile(bytes);
        await file.datasync();
      } finally {
        await file.close();
      }
    });
    return descriptor;
  }

  /**
   * Takes in a file that was just verified, as a hard link or, across file systems, a copy. Only
   * for files that nobody changes afterwards.
   * @throws LandfallError BLOB_SIZE when it has another size by now; FILE_ACCESS, DISK_FULL
   */
  async adopt(file: string, descriptor: Descriptor): Promise<void> {
    if (await this.has(descriptor)) return;
    await this.#place(descriptor, async (path) => {
      // A link to a symbolic link would be one itself.
      const source = await realpath(file);
      await link(source, path).catch(() => copy(source, path));
      const { size } = await stat(path);
      if (size === descriptor.size) return;
      throw new LandfallError(
        'BLOB_SIZE',
        `${file} has ${size} bytes, ${descriptor.size} are expected`,
        { hint: 'The file changed while it was read; build again.' },
      );
    });
  }

  /** Makes a file beside the blobs and moves it to its place, or leaves nothing behind. */
  async #place({ digest }: Descriptor, make: (path: string) => Promise<void>): Promise<void> {
    const target = this.path(digest);
    const path = join(this.#partials, `new-${randomUUID()}`);
    await explained('write', target, async () => {
      try {
        await make(path);
        await rename(path, target);
      } finally {
        await rm(path, { force: true });
      }
    });
  }
}

async function copy(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  const file = await open(to, 'r+');
  await file.datasync().finally(() => file.close());
}

/** The XDG base directory specification has relative paths ignored. */
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
