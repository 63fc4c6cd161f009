import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { publishedFolders } from '../../../../builder/deliver/hosting/published-folders.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-published-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function write(...paths: string[]): Promise<void> {
  for (const path of paths) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), path);
  }
}

const found = async (source = folder) =>
  (await publishedFolders(source)).map(({ name, files }) => [name, files.map((file) => file.name)]);

describe('the folders of an upload', () => {
  it('lists releases first, then rotations of the keys, then channels', async () => {
    await write(
      'stable/channel.json',
      'stable/channel.json.sig',
      'trust/1.json',
      'trust/1.json.sig',
    );
    await write('v1.1.0/a.tar', 'v1.1.0/a.release.json', 'full-v1.1.0/a.tar');
    expect(await found()).toEqual([
      ['full-v1.1.0', ['a.tar']],
      ['v1.1.0', ['a.release.json', 'a.tar']],
      ['trust', ['1.json', '1.json.sig']],
      ['stable', ['channel.json', 'channel.json.sig']],
    ]);
  });

  it('publishes no keys, sites or folders of other kinds', async () => {
    await write('v1.1.0/a.tar', 'v1.1.0/release.key', 'v1.1.0/site.yaml', 'keys/release.key');
    await write('.git/config', 'node_modules/a/b.tar');
    expect(await found()).toEqual([['v1.1.0', ['a.tar']]]);
  });

  it('publishes the folder itself if it is a release, rotations or a channel', async () => {
    await write('v1.1.0/a.tar', 'trust/1.json', 'stable/channel.json', 'stable/channel.json.sig');
    expect(await found(join(folder, 'v1.1.0'))).toEqual([['', ['a.tar']]]);
    expect(await found(join(folder, 'trust'))).toEqual([['', ['1.json']]]);
    expect(await found(join(folder, 'stable'))).toEqual([
      ['', ['channel.json', 'channel.json.sig']],
    ]);
    expect(await found(join(folder, 'v1.1.0/a.tar'))).toEqual([['', ['a.tar']]]);
  });

  it.each(['', 'stable'])('rejects a channel that is not signed: %s', async (source) => {
    await write('v1.1.0/a.tar', 'stable/channel.json');
    await expect(found(join(folder, source))).rejects.toMatchObject({
      code: 'FILE_MISSING',
      hint: 'Sign the channel: landfall channel sign.',
    });
  });

  it('rejects a folder without a release', async () => {
    await write('readme.txt', 'sub/readme.txt');
    await expect(found()).rejects.toMatchObject({ code: 'FILE_MISSING' });
  });
});
