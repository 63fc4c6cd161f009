import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const folders: string[] = [];
// A hook cannot be added in the function, because tests and other hooks call it.
afterAll(async () => {
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
});

/** Creates a folder for the tests of a file, which is deleted after them. */
export async function workFolder(parent: string = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(await realpath(parent), 'landfall-test-'));
  folders.push(folder);
  return folder;
}
