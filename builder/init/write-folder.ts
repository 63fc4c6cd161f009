import { access, mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { fileError } from '../files/file-error.ts';

/**
 * Writes some files into a folder, all or none where one exists already.
 * @param files content by path below the folder
 * @param force write over files that exist
 * @throws LandfallError FILE_EXISTS naming every file that is there; FILE_ACCESS, DISK_FULL
 */
export async function writeFolder(
  folder: string,
  files: ReadonlyMap<string, string>,
  force: boolean,
): Promise<void> {
  if (!force) await refuseExisting(folder, [...files.keys()]);
  for (const [name, text] of files) {
    const path = join(folder, name);
    try {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(`${path}.partial`, text);
      await rename(`${path}.partial`, path);
    } catch (error) {
      throw fileError(error, path);
    }
  }
}

async function refuseExisting(folder: string, names: readonly string[]): Promise<void> {
  const found: string[] = [];
  for (const name of names) {
    const there = await access(join(folder, name)).then(
      () => true,
      () => false,
    );
    // What begins with a dot is ours to renew.
    if (there && !name.startsWith('.')) found.push(name);
  }
  if (found.length === 0) return;
  throw new LandfallError('FILE_EXISTS', `${found.join(' and ')} exist already in ${folder}`, {
    hint: 'Choose another folder, or write over them with --force.',
  });
}
