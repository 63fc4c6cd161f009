import { appendFile, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BuiltBundles } from '../../../../builder/bundle/archive/publish-bundle.ts';

let folder: string;
let path: string;
let built: BuiltBundles;
const bundle = { manifestSha256: 'manifest', keyId: 'key' };
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-built-'));
  path = join(folder, 'bundle.tar');
  built = new BuiltBundles(folder);
  await writeFile(path, 'content');
  await built.remember(path, bundle);
});
afterEach(() => rm(folder, { recursive: true }));

describe('an existing bundle', () => {
  it('recognizes an existing bundle that was not modified', async () => {
    expect(await built.has(path, bundle)).toBe(true);
  });

  it.each([
    ['another manifest', { manifestSha256: 'other' }],
    ['another key', { keyId: 'other' }],
    ['another maximum size', { maxPartSize: 1000 }],
  ])('rejects an existing bundle with %s as out of date', async (_what, change) => {
    expect(await built.has(path, { ...bundle, ...change })).toBe(false);
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
  ])('rejects an existing bundle as out of date after it was %s', async (_what, change) => {
    await change();
    expect(await built.has(path, bundle)).toBe(false);
  });
});

describe('an existing bundle in parts', () => {
  const parts = ['000', '001', '002'];
  const inParts = { ...bundle, maxPartSize: 7 };
  const part = (number: string) => `${path}.${number}`;
  beforeEach(async () => {
    await rm(path);
    for (const number of parts) await writeFile(part(number), 'content');
    await built.remember(path, inParts);
  });

  it('recognizes a bundle in parts if no part was modified', async () => {
    expect(await built.has(path, inParts)).toBe(true);
    expect(await built.has(path, { ...bundle, maxPartSize: 8 })).toBe(false);
    expect(await built.has(path, bundle)).toBe(false);
  });

  it.each([
    ['a part was appended to', () => appendFile(part('001'), 'x')],
    ['a part was removed', () => rm(part('002'))],
    ['a part was added', () => writeFile(part('003'), 'content')],
    ['the whole file was added', () => writeFile(path, 'content')],
    [
      'parts were swapped',
      async () => {
        await rename(part('000'), part('tmp'));
        await rename(part('001'), part('000'));
        await rename(part('tmp'), part('001'));
      },
    ],
  ])('rejects a bundle in parts as out of date after %s', async (_what, change) => {
    await change();
    expect(await built.has(path, inParts)).toBe(false);
  });
});
