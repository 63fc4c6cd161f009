import { existsSync } from 'node:fs';
import { link, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { fileError } from '#files/file-error.ts';
import { makeFolder } from '../../base/files/folder.ts';

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
  const replaced = files.filter(({ name }) => force || name.startsWith('.'));
  const added = files.filter((file) => !replaced.includes(file));
  try {
    for (const file of files) await writeBeside(join(folder, file.name), file);
    await addAll(folder, added);
    for (const { name } of replaced) await rename(partial(join(folder, name)), join(folder, name));
  } catch (error) {
    throw fileError(error, folder);
  } finally {
    for (const { name } of files) await rm(partial(join(folder, name)), { force: true });
  }
}

/**
 * Checks that none of the files exists, before the user answers questions.
 * @throws LandfallError FILE_EXISTS
 */
export async function refuseExisting(folder: string, names: readonly string[]): Promise<void> {
  const taken = names.filter((name) => existsSync(join(folder, name)));
  if (taken.length > 0) throw alreadyThere(taken, folder);
}

async function addAll(folder: string, files: readonly NewFile[]): Promise<void> {
  const added: string[] = [];
  const taken: string[] = [];
  try {
    for (const { name } of files) {
      ((await linkNew(join(folder, name))) ? added : taken).push(name);
    }
    if (taken.length > 0) throw alreadyThere(taken, folder);
  } catch (error) {
    for (const name of added) await rm(join(folder, name), { force: true });
    throw error;
  }
}

const partial = (path: string) => `${path}.partial`;

async function writeBeside(path: string, file: NewFile): Promise<void> {
  await makeFolder(dirname(path));
  await rm(partial(path), { force: true });
  const mode = file.private ? 0o600 : 0o644;
  await writeFile(partial(path), file.text, { mode, flag: 'wx' });
}

/** Links atomically: unlike a rename, a link fails if the target exists. */
async function linkNew(path: string): Promise<boolean> {
  try {
    await link(partial(path), path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function alreadyThere(names: readonly string[], folder: string): LandfallError {
  const verb = names.length === 1 ? 'exists' : 'exist';
  return new LandfallError('FILE_EXISTS', `${names.join(' and ')} already ${verb} in ${folder}`, {
    hint: {
      en: 'Choose another folder, or overwrite the files with --force.',
      zh: '换一个文件夹，或用 --force 覆盖文件。',
    },
  });
}
