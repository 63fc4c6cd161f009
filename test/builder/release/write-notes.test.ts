import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sbom as sbomName } from '#contract/bundle/bundle-paths.ts';
import { HttpClient } from '#http/client.ts';
import { openPrevious } from '../../../builder/release/write-notes.ts';
import { serve, status } from '../../faulty-server/faults.ts';
import { FaultyServer, type Routes } from '../../faulty-server/faulty-server.ts';
import { makeBundle } from '../../simulator/bundle.ts';
import { headOf } from '../../simulator/head-of.ts';
import { releaseKey } from '../../simulator/keys.ts';
import { folderWith, spki } from '../packaged/rig.ts';

let server: FaultyServer;
let http: HttpClient;
beforeEach(async () => {
  server = await FaultyServer.start(folderWith());
  http = new HttpClient();
});
afterEach(() => Promise.all([server.close(), http.close()]));

const manifest = '/r/landfall-1.2.0-amd64.release.json';
const sbom = manifest.replace('release.json', 'sbom.cdx.json');

const inputs = { cwd: '/srv', keys: { release: [releaseKey.public], recovery: undefined } };
const open = () => openPrevious(server.url(manifest).href, inputs, http);

describe('the previous release', () => {
  it('opens the previous release from a file of this machine', async () => {
    await expect(openPrevious('old.tar', inputs, http)).rejects.toMatchObject({
      code: 'FILE_MISSING',
      message: expect.stringContaining('/srv/old.tar'),
    });
  });

  it('verifies the previous release of a URL with its signature', async () => {
    await using previous = await open();
    expect(previous).toMatchObject({ type: 'manifest', signer: { role: 'release' } });
  });

  it('reads the SBOM of the previous release only if the server has it, and verifies it', async () => {
    const head = headOf(
      makeBundle({
        files: [{ path: sbomName, content: Buffer.from('{}') }],
        release: (release) => ({ ...release, keys: { release: [spki], recovery: null } }),
      }),
    );
    const signed = ['', '.sig'].map((end) => [
      `${manifest}${end}`,
      serve(head.get(`release.json${end}`) ?? Buffer.alloc(0)),
    ]);
    const readWith = async (routes: Routes) => {
      server.answer({ ...Object.fromEntries(signed), ...routes });
      await using previous = await open();
      return previous.type === 'lock' ? undefined : await previous.readSbom();
    };
    expect(await readWith({ [sbom]: status(404) })).toBeUndefined();
    expect(await readWith({ [sbom]: serve(Buffer.from('{}')) })).toEqual(Buffer.from('{}'));
    const other = readWith({ [sbom]: serve(Buffer.from('[]')) });
    await expect(other).rejects.toMatchObject({ code: 'BUNDLE_CONTENT' });
  });

  it('fails if the previous release has no signature', async () => {
    server.answer({ ...folderWith(), [`${manifest}.sig`]: status(404) });
    await expect(open()).rejects.toMatchObject({ code: 'HTTP_STATUS' });
  });

  it('must be the URL of a release.json', async () => {
    const opening = openPrevious(server.url('/r/').href, inputs, http);
    await expect(opening).rejects.toMatchObject({ code: 'USAGE' });
  });
});
