import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder for results of the tests of the whole stack. */
export const resultsFolder = fileURLToPath(new URL('../../output/whole-stack', import.meta.url));

/** Saves a result. Returns its path. */
export async function keep(name: string, content: string | Buffer): Promise<string> {
  await mkdir(resultsFolder, { recursive: true });
  const path = join(resultsFolder, name);
  await writeFile(path, content);
  return path;
}
