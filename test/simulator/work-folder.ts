import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A new folder for the tests of this file, taken away when they are over. */
export async function workFolder(parent: string = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(await realpath(parent), 'landfall-test-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
