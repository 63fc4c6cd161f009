import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpClient } from '#http/client.ts';
import { readPublished } from '../../../../builder/bundle/reproduce/published-release.ts';
import { serve, status } from '../../../faulty-server/faults.ts';
import { FaultyServer } from '../../../faulty-server/faulty-server.ts';
import { releaseKey, strangerKey } from '../../../simulator/keys.ts';
import { folderWith, makeHead } from '../../deliver/packaged/rig.ts';

const name = 'landfall-1.2.0-amd64.release.json';
const trusted = { release: [releaseKey.public], recovery: undefined };
const unknown = { release: [strangerKey.public], recovery: undefined };

let folder: string;
let server: FaultyServer;
let http: HttpClient;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-published-'));
  server = await FaultyServer.start(folderWith());
  http = new HttpClient();
  const head = makeHead();
  await writeFile(join(folder, name), head.get('release.json') ?? '');
  await writeFile(join(folder, `${name}.sig`), head.get('release.json.sig') ?? '');
});
afterEach(() => Promise.all([server.close(), http.close(), rm(folder, { recursive: true })]));

const read = (source: string, keys?: typeof trusted) =>
  readPublished(source, folder, keys, { http, retry: { attempts: 1 } });

describe.each([
  ['a file', () => name],
  ['a URL', () => server.url(`/r/${name}`).href],
])('a release.json at %s', (_what, source) => {
  it('verifies a release.json with the keys that it announces', async () => {
    const { release, signer, manifest } = await read(source());
    expect(release.version).toBe('1.2.0');
    expect(signer).toMatchObject({ role: 'release', key: { id: releaseKey.public.id } });
    expect(manifest.length).toBeGreaterThan(1000);
  });

  it('verifies a release.json with the given key', async () => {
    expect((await read(source(), trusted)).signer?.key.id).toBe(releaseKey.public.id);
    await expect(read(source(), unknown)).rejects.toMatchObject({ code: 'BUNDLE_UNTRUSTED' });
  });

  it('needs a signature only if a key is given', async () => {
    await rm(join(folder, `${name}.sig`));
    server.answer({ ...folderWith(), [`/r/${name}.sig`]: status(404) });
    expect((await read(source())).signer).toBeUndefined();
    await expect(read(source(), trusted)).rejects.toMatchObject({
      code: expect.stringMatching(/^(FILE_MISSING|HTTP_STATUS)$/),
    });
  });

  it('rejects a release.json with the signature of another key', async () => {
    const other = makeHead({}, strangerKey).get('release.json.sig') ?? Buffer.alloc(0);
    await writeFile(join(folder, `${name}.sig`), other);
    server.answer({ ...folderWith(), [`/r/${name}.sig`]: serve(other) });
    await expect(read(source())).rejects.toMatchObject({ code: 'BUNDLE_UNTRUSTED' });
  });
});

describe('a download', () => {
  it('limits the download of a release.json to the size of a manifest', async () => {
    const large = Buffer.alloc(9 * 1024 * 1024);
    server.answer({ ...folderWith(), [`/r/${name}`]: serve(large) });
    const url = server.url(`/r/${name}`).href;
    await expect(read(url)).rejects.toMatchObject({ code: 'BLOB_SIZE' });
  });

  it('fails if the signature cannot be downloaded for another reason than its absence', async () => {
    server.answer({ ...folderWith(), [`/r/${name}.sig`]: status(500) });
    const url = server.url(`/r/${name}`).href;
    await expect(read(url)).rejects.toMatchObject({ code: 'HTTP_STATUS' });
  });

  it('keeps the query of the URL', async () => {
    const url = `${server.url(`/r/${name}`).href}?token=1`;
    expect((await read(url)).signer).toBeDefined();
  });

  it('rejects an invalid URL', async () => {
    await expect(read('http://[')).rejects.toMatchObject({ code: 'USAGE' });
  });
});
