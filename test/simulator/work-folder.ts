import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const folders: string[] = [];
// Here and not in the function, which tests and hooks call too: a hook cannot be added there.
afterAll(async () => {
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
});

/** Makes a new folder for the tests of this file; it is removed when they are over. */
export async function workFolder(parent: string = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(await realpath(parent), 'landfall-test-'));
  folders.push(folder);
  return folder;
}
