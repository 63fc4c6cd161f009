import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { encodeRelease } from '#contract/bundle/release.ts';
import { serve } from '../faulty-server/faults.ts';
import { FaultyServer } from '../faulty-server/faulty-server.ts';
import { makeRelease, tinyFiles } from '../simulator/bundle.ts';
import { workFolder } from '../simulator/work-folder.ts';
import { releaseFiles } from './release-files.ts';

const release = makeRelease(tinyFiles);
const { arch } = release;
const other = arch === 'amd64' ? 'arm64' : 'amd64';
const manifest = Buffer.from(encodeRelease(release));

let folder: string;
beforeEach(async () => {
  folder = await workFolder();
});

describe('a release in a folder', () => {
  it('picks the release of the architecture from a folder', async () => {
    await writeFile(join(folder, 'a.release.json'), manifest);
    await writeFile(join(folder, 'b.release.json'), encodeRelease({ ...release, arch: other }));
    expect(await releaseFiles(folder, arch, folder)).toEqual({
      manifest: join(folder, 'a.release.json'),
      source: { folder },
    });
  });

  it('rejects a folder with no release of the architecture, or more than one', async () => {
    await expect(releaseFiles(folder, arch, folder)).rejects.toThrow('has 0 releases');
    for (const name of ['a', 'b']) await writeFile(join(folder, `${name}.release.json`), manifest);
    await expect(releaseFiles(folder, arch, folder)).rejects.toThrow('has 2 releases');
  });
});

describe('a release at a URL', () => {
  it('downloads a release with its signature and public key; servers use the folder of the URL', async () => {
    await using server = await serverOf(['a.release.json', 'a.release.json.sig', 'release.pub']);
    const work = join(folder, 'work');
    await mkdir(work);
    const found = await releaseFiles(server.url('/1.0.0/a.release.json').href, arch, work);
    expect(found.source).toEqual({ url: server.url('/1.0.0/').href });
    const names = ['a.release.json', 'a.release.json.sig', 'release.pub'];
    expect((await readdir(join(work, 'release'))).sort()).toEqual(names);
  });

  it('rejects a release at a URL without its signature', async () => {
    await using server = await serverOf(['a.release.json', 'release.pub']);
    const attempt = releaseFiles(server.url('/1.0.0/a.release.json').href, arch, folder);
    await expect(attempt).rejects.toThrow('a.release.json.sig: status 404');
  });
});

async function serverOf(names: readonly string[]) {
  const routes = names.map((name) => [`/1.0.0/${name}`, serve(manifest)] as const);
  const server = await FaultyServer.start(Object.fromEntries(routes));
  return Object.assign(server, { [Symbol.asyncDispose]: () => server.close() });
}
