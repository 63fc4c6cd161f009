import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { fileError } from '#contract/file-error.ts';

/** A file to upload. */
export interface LocalFile {
  readonly path: string;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
}

/** The code host rejects larger files. Bytes. */
const maxBytes = 2 * 1024 ** 3 - 1;
/** The code host replaces other characters, so that the URL would differ. */
const namePattern = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,199}$/;

/** Returns whether a name is safe as a file name and is kept by the code host. */
export function isAssetName(name: string): boolean {
  return namePattern.test(name);
}

/**
 * Checks that a file can be uploaded.
 * @throws LandfallError USAGE for an unsuitable name or size, FILE_MISSING, FILE_ACCESS
 */
export async function localFile(path: string): Promise<LocalFile> {
  const name = basename(path);
  if (!isAssetName(name)) {
    throw new LandfallError('USAGE', `${path} cannot be uploaded: unsuitable file name`, {
      hint: 'Use letters, digits, and . _ + - in the name.',
    });
  }
  const { size } = await stat(path).catch((error: unknown) => {
    throw fileError(error, path);
  });
  if (size > maxBytes) {
    throw new LandfallError('USAGE', `${path} cannot be uploaded: larger than 2 GiB`, {
      hint: 'Build the bundle in parts with --max-part-size.',
    });
  }
  return { path, name, size };
}
