import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readPackagedRelease } from '../../../../builder/deliver/packaged/packaged-release.ts';
import { strangerKey } from '../../../simulator/keys.ts';
import { packagedAt } from './rig.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-packaged-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function read(content: unknown) {
  const path = join(folder, 'release-facts.json');
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return await readPackagedRelease(path);
}
const packaged = packagedAt('https://example.com/1.2.0/', 'https://mirror.example.net/1.2.0/');

describe('the release of a package', () => {
  it('reads the release of a package from its file', async () => {
    expect(await read(packaged)).toEqual(packaged);
  });

  it('returns no release of a package without the file, or in a checkout', async () => {
    expect(await readPackagedRelease(join(folder, 'nothing'))).toBeUndefined();
    expect(await readPackagedRelease()).toBeUndefined();
  });

  it.each([
    ['text that is not JSON', '{', '(top level)'],
    ['an unknown field', { ...packaged, extra: 1 }, '(top level)'],
    ['no URL', { ...packaged, urls: [] }, 'urls'],
    ['a URL without TLS', { ...packaged, urls: ['http://example.com/'] }, 'urls.0'],
    ['a URL with a query', { ...packaged, urls: ['https://example.com/?a'] }, 'urls.0'],
    ['a URL with a login', { ...packaged, urls: ['https://me:x@example.com/'] }, 'urls.0'],
    ['no key', { ...packaged, keys: { release: [], recovery: null } }, 'keys'],
    ['the ID of another key', { ...packaged, keyId: strangerKey.public.id }, 'keyId'],
    ['an architecture twice', { ...packaged, architectures: ['amd64', 'amd64'] }, 'architectures'],
    ['a version with a path', { ...packaged, version: '../1.2.0' }, 'version'],
    ['more than 64 kB', `${' '.repeat(70_000)}${JSON.stringify(packaged)}`, '(top level)'],
  ])('rejects the release of a package with %s', async (_what, content, field) => {
    await expect(read(content)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      problems: [{ message: expect.stringContaining(field) }],
    });
  });
});
