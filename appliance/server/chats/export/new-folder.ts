import { rmSync } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { LandfallError } from '#contract/errors.ts';
import { formatBytes } from '#contract/text/amount.ts';
import { fileError } from '#files/file-error.ts';
import { FolderHandle } from '#files/folder-handle.ts';
import { isMissing } from '#files/open-regular.ts';
import { syncFolder } from '#files/sync-folder.ts';
import { diskFull } from '../../host/free-space.ts';

/** Bytes that stay free, because a full disk stops the chat UI. */
const defaultReserve = 256 << 20;

/** Signals that end the program. */
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

type Parts = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/** A folder that is being filled. Only the user who runs the program can read it. */
export class NewFolder {
  /** Bytes written. */
  size = 0;
  /** A path that leads to this folder even if another user renames it meanwhile. */
  readonly #path: string;
  readonly #reserve: number;

  constructor(path: string, reserve: number) {
    this.#path = path;
    this.#reserve = reserve;
  }

  /** Creates a folder in this folder. */
  async makeFolder(path: string): Promise<void> {
    await mkdir(`${this.#path}${path}`, { recursive: true, mode: 0o700 });
  }

  /** Writes a new file. @throws LandfallError DISK_FULL */
  async write(path: string, content: string): Promise<void> {
    const bytes = Buffer.from(content);
    await this.#checkSpace(bytes.length);
    await writeFile(`${this.#path}${path}`, bytes, { mode: 0o600, flag: 'wx' });
    this.size += bytes.length;
  }

  /**
   * Writes a new file from its parts, one at a time. An incomplete file is removed.
   * @throws LandfallError DISK_FULL
   */
  async save(path: string, content: Parts): Promise<void> {
    const target = `${this.#path}${path}`;
    // Opened here: a write stream opens its file later, so it could create it after it was removed.
    const file = await open(target, 'wx', 0o600);
    try {
      await pipeline(content, (parts: Parts) => this.#counted(parts), file.createWriteStream());
      this.size += (await stat(target)).size;
    } catch (error) {
      rmSync(target, { force: true });
      throw error;
    }
  }

  /** Passes chunks on, and checks the free space at every 64 MiB. */
  async *#counted(parts: Parts): AsyncGenerator<Uint8Array> {
    let unchecked = Number.POSITIVE_INFINITY;
    for await (const part of parts) {
      const chunk = typeof part === 'string' ? Buffer.from(part) : part;
      unchecked += chunk.length;
      if (unchecked > 64 << 20) {
        await this.#checkSpace(64 << 20);
        unchecked = 0;
      }
      yield chunk;
    }
  }

  async #checkSpace(bytes: number): Promise<void> {
    const { bavail, bsize } = await statfs(this.#path);
    const free = bavail * bsize;
    if (free - bytes >= this.#reserve) return;
    const hint = { en: 'Choose a folder on another disk.', zh: '换一个在其他磁盘上的文件夹。' };
    throw diskFull(`only ${formatBytes(free)} are free for the export`, hint);
  }
}

export interface CreateOptions {
  /** Bytes that must stay free on the disk. */
  readonly reserve?: number | undefined;
  /** Writes the file system of a path to disk, once: a sync of each file would take longer than the export. */
  readonly sync?: ((path: string) => Promise<unknown>) | undefined;
}

/**
 * Creates a folder that is complete or missing: it is filled beside its path and renamed at the end. After
 * an error or a signal such as Ctrl-C, nothing is left. An empty folder at the path is replaced.
 * @throws LandfallError FILE_EXISTS, FILE_MISSING, FILE_ACCESS, DISK_FULL, USAGE; what `fill` throws
 */
export async function createFolder<Result>(
  path: string,
  fill: (folder: NewFolder) => Promise<Result>,
  { reserve = defaultReserve, sync }: CreateOptions = {},
): Promise<Result> {
  const target = resolve(path);
  await checkTarget(target);
  const part = `${target}.part`;
  await makePart(part);
  const remove = () => rmSync(part, { recursive: true, force: true, maxRetries: 9 });
  const end = (signal: NodeJS.Signals) => {
    remove();
    for (const each of endings) process.off(each, end);
    // Without handlers, the signal has its default effect.
    process.kill(process.pid, signal);
  };
  for (const signal of endings) process.on(signal, end);
  try {
    await using handle = await FolderHandle.open(part);
    const result = await fill(new NewFolder(handle.path(), reserve));
    await sync?.(part);
    await rename(part, target);
    await syncFolder(dirname(target));
    return result;
  } catch (error) {
    remove();
    throw fileError(error, target);
  } finally {
    for (const signal of endings) process.off(signal, end);
  }
}

async function makePart(part: string): Promise<void> {
  try {
    await mkdir(part, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') {
      throw new LandfallError('FILE_EXISTS', `${part} exists: another export runs or was killed`, {
        hint: `Remove it if no other export runs: sudo rm -r ${part}`,
        cause: error,
      });
    }
    if (code === 'ENAMETOOLONG') throw new LandfallError('USAGE', 'the path is too long');
    throw fileError(error, dirname(part));
  }
}

/** @throws LandfallError FILE_EXISTS for anything but an empty folder */
async function checkTarget(target: string): Promise<void> {
  const exists = (message: string, hint: string) =>
    new LandfallError('FILE_EXISTS', message, { hint });
  const another = 'Name a folder that does not exist.';
  try {
    const found = await lstat(target);
    if (!found.isDirectory()) throw exists(`${target} is not a folder`, another);
    if ((await readdir(target)).length > 0) throw exists(`${target} is not empty`, another);
    // A mounted disk cannot be replaced, and the folder beside it is on another disk.
    if (found.dev === (await stat(dirname(target))).dev) return;
    throw exists(`${target} is a mounted disk`, `Name a folder on it, such as ${target}/export.`);
  } catch (error) {
    if (isMissing(error)) return;
    throw fileError(error, target);
  }
}
