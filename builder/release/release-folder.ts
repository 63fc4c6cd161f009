import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { fileError } from '../files/file-error.ts';
import { makeFolder } from '../files/make-folder.ts';

/** The output folder of a release, which appears only when it is complete. */
export class ReleaseFolder implements AsyncDisposable {
  readonly #output: string;
  /** The folder to write to. */
  readonly path: string;

  private constructor(output: string) {
    this.#output = output;
    this.path = `${output}.partial`;
  }

  /** Creates the folder to write to. @throws LandfallError FILE_EXISTS, FILE_ACCESS, DISK_FULL */
  static async create(output: string): Promise<ReleaseFolder> {
    if (existsSync(output)) {
      throw new LandfallError('FILE_EXISTS', `${output} already exists`, {
        hint: 'Remove it, or choose another folder with --output.',
      });
    }
    const folder = new ReleaseFolder(output);
    try {
      // Left behind by a run that was killed.
      await rm(folder.path, { recursive: true, force: true });
      await makeFolder(dirname(output));
      await makeFolder(folder.path);
    } catch (error) {
      throw fileError(error, folder.path);
    }
    return folder;
  }

  /** Makes the folder appear. */
  async complete(): Promise<void> {
    await rename(this.path, this.#output);
  }

  /** Removes an incomplete folder. */
  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}
