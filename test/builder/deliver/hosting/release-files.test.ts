import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { releaseFiles } from '../../../../builder/deliver/hosting/release-files.ts';
import { bundleOf, OutputFolder } from './release-folder.ts';

const { stem, tar } = OutputFolder;
const beside = [`${stem}.release.json`, `${stem}.release.json.sig`];

async function namesOf(source: string): Promise<string[]> {
  return (await releaseFiles(source)).map(({ name }) => name);
}

describe('releaseFiles', () => {
  it('returns the release of a folder, without keys, sites and incomplete files', async () => {
    await using folder = await OutputFolder.create();
    expect(await namesOf(folder.path)).toEqual([...beside, tar, 'release.pub']);
  });

  it('returns one bundle of several with the files that belong to it', async () => {
    await using folder = await OutputFolder.create();
    await folder.write('landfall-1.2.0-arm64.tar', 'another');
    await folder.write('landfall-1.2.0-arm64.release.json', 'another');
    expect(await namesOf(join(folder.path, tar))).toEqual([...beside, tar, 'release.pub']);
  });

  it.each([
    ['the name of the whole file', tar],
    ['the name of a part', `${tar}.001`],
  ])('returns all parts of a bundle for %s', async (_, name) => {
    await using folder = await OutputFolder.create(bundleOf(), 4_000);
    const names = await namesOf(join(folder.path, name));
    expect(names.slice(0, 4)).toEqual([...beside, `${tar}.000`, `${tar}.001`]);
  });

  it('skips links, which can lead out of the folder', async () => {
    await using folder = await OutputFolder.create();
    await symlink('/etc/passwd', join(folder.path, 'SHA256SUMS'));
    expect(await namesOf(folder.path)).not.toContain('SHA256SUMS');
  });

  it.each(['release.pub', 'missing', 'missing.tar'])('rejects %s', async (name) => {
    await using folder = await OutputFolder.create();
    const path = join(folder.path, name);
    await expect(releaseFiles(path)).rejects.toMatchObject({ code: 'FILE_MISSING' });
  });
});
