import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Here a person finds what the tests of the whole stack saw. */
export const resultsFolder = fileURLToPath(new URL('../../output/whole-stack', import.meta.url));

/** Keeps a result for people to look at; gives its path. */
export async function keep(name: string, content: string | Buffer): Promise<string> {
  await mkdir(resultsFolder, { recursive: true });
  const path = join(resultsFolder, name);
  await writeFile(path, content);
  return path;
}
