import { appendFile, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BuiltBundles } from '../../../builder/bundle/up-to-date.ts';

let folder: string;
let path: string;
let built: BuiltBundles;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-built-'));
  path = join(folder, 'bundle.tar');
  built = new BuiltBundles(folder);
  await writeFile(path, 'content');
  await built.remember(path, 'manifest', 'key');
});
afterEach(() => rm(folder, { recursive: true }));

describe('an existing bundle', () => {
  it('is recognized if it was not modified', async () => {
    expect(await built.has(path, 'manifest', 'key')).toBe(true);
  });

  it.each([
    ['another manifest', 'other', 'key'],
    ['another key', 'manifest', 'other'],
  ])('is not up to date with %s', async (_what, manifest, key) => {
    expect(await built.has(path, manifest, key)).toBe(false);
  });

  it.each([
    ['appended to', () => appendFile(path, 'x')],
    ['overwritten with the same size', () => writeFile(path, 'CONTENT')],
    ['changed in its modification time', () => utimes(path, 1, 1)],
    [
      'replaced',
      async () => {
        await writeFile(`${path}.new`, 'content');
        await rename(`${path}.new`, path);
      },
    ],
    ['removed', () => rm(path)],
  ])('is not up to date after it was %s', async (_what, change) => {
    await change();
    expect(await built.has(path, 'manifest', 'key')).toBe(false);
  });
});
