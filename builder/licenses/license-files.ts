import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const fileName = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

/** Returns the texts of the license files in the folder of a package, sorted by name. */
export async function licenseFiles(folder: string): Promise<string[]> {
  const files = (await readdir(folder)).filter((file) => fileName.test(file)).sort();
  return Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
}
