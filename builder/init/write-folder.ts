import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { replaceFile } from '#files/replace-file.ts';
import { fileError } from '../files/file-error.ts';
import { makeFolder } from '../files/folder.ts';

/** A file to write; its name is a path relative to the folder. */
export interface NewFile {
  readonly name: string;
  readonly text: string;
  /** Readable only by the user. */
  readonly private?: boolean;
}

/**
 * Writes files into a folder: all of them, or none if one already exists.
 * @param force overwrite existing files; generated files (with a leading dot) are always overwritten
 * @throws LandfallError FILE_EXISTS naming every existing file; FILE_ACCESS, DISK_FULL
 */
export async function writeFolder(
  folder: string,
  files: readonly NewFile[],
  force: boolean,
): Promise<void> {
  const isReplaced = ({ name }: NewFile) => force || name.startsWith('.');
  await refuseExisting(
    folder,
    files.filter((file) => !isReplaced(file)).map(({ name }) => name),
  );
  const added: string[] = [];
  try {
    for (const file of files) {
      const path = join(folder, file.name);
      const mode = file.private ? 0o600 : 0o644;
      await makeFolder(dirname(path));
      if (isReplaced(file)) {
        await replaceFile(path, file.text, { mode });
      } else {
        await writeFile(path, file.text, { mode, flag: 'wx' });
        added.push(path);
      }
    }
  } catch (error) {
    for (const path of added) await rm(path, { force: true });
    throw fileError(error, folder);
  }
}

/**
 * Checks that none of the files exists, also before the user answers questions.
 * @throws LandfallError FILE_EXISTS
 */
export async function refuseExisting(folder: string, names: readonly string[]): Promise<void> {
  const taken = names.filter((name) => existsSync(join(folder, name)));
  if (taken.length === 0) return;
  const verb = taken.length === 1 ? 'exists' : 'exist';
  throw new LandfallError('FILE_EXISTS', `${taken.join(' and ')} already ${verb} in ${folder}`, {
    hint: 'Choose another folder, or overwrite the files with --force.',
  });
}
