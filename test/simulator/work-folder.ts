import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterThisFile } from '../setup/cleanup.ts';

/** Creates a folder for the tests of a file, which is deleted after them. */
export async function workFolder(parent: string = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(await realpath(parent), 'landfall-test-'));
  afterThisFile(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
