import { constants } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';

/**
 * A folder that is held open. {@link path} leads to a name in this folder, even if another process
 * renames the folder or replaces it by a symbolic link meanwhile. So root can work in a folder where
 * a container writes. Linux only: it uses /proc/self/fd, because Node has no openat(2).
 */
export class FolderHandle implements AsyncDisposable {
  readonly #handle: FileHandle;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /**
   * Opens a folder.
   * @param path absolute. Only its last name may be a symbolic link of another user, which is rejected
   * @throws the system error ENOENT, or ENOTDIR for a link or a file
   */
  static async open(path: string): Promise<FolderHandle> {
    const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
    return new FolderHandle(await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
  }

  /** Opens a folder in this folder. @throws as {@link open} */
  async openFolder(name: string): Promise<FolderHandle> {
    return await FolderHandle.open(this.path(name));
  }

  /** Creates a folder with mode 0755 in this folder, or opens an existing one. @throws as {@link open} */
  async makeFolder(name: string): Promise<FolderHandle> {
    const isNew = await mkdir(this.path(name)).then(() => true, unlessExisting);
    const folder = await this.openFolder(name);
    if (isNew) await folder.#handle.chmod(0o755);
    return folder;
  }

  /** Returns an absolute path of this folder, or of a name in it, for functions of `node:fs`. */
  path(name = ''): string {
    if (name.includes('/') || name === '..') throw new Error(`${name} is not a name in a folder`);
    return `/proc/self/fd/${this.#handle.fd}/${name}`;
  }

  /** Writes the names in this folder to disk. */
  async sync(): Promise<void> {
    await this.#handle.sync();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
  }
}

function unlessExisting(error: unknown): false {
  if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
  throw error;
}
