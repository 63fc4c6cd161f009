import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpClient } from '#http/client.ts';
import { openPrevious } from '../../../builder/release/write-notes.ts';
import { serve, status } from '../../faulty-server/faults.ts';
import { FaultyServer } from '../../faulty-server/faulty-server.ts';
import { folderWith } from '../packaged/rig.ts';

let server: FaultyServer;
let http: HttpClient;
beforeEach(async () => {
  server = await FaultyServer.start(folderWith());
  http = new HttpClient();
});
afterEach(() => Promise.all([server.close(), http.close()]));

const manifest = '/r/landfall-1.2.0-amd64.release.json';
const sbom = manifest.replace('release.json', 'sbom.cdx.json');

describe('the previous release', () => {
  it('opens the previous release from a file of this machine', async () => {
    await using previous = await openPrevious('dist/old.tar', http);
    expect(previous).toMatchObject({ path: 'dist/old.tar', isDownloaded: false });
  });

  it('downloads the previous release with its signature, and removes both afterwards', async () => {
    let path: string;
    {
      await using previous = await openPrevious(server.url(manifest).href, http);
      path = previous.path;
      expect(previous.isDownloaded).toBe(true);
      expect((await readFile(`${path}.sig`)).length).toBeGreaterThan(60);
      expect(existsSync(path.replace('release.json', 'sbom.cdx.json'))).toBe(false);
    }
    expect(existsSync(path)).toBe(false);
  });

  it('downloads the SBOM of the previous release if the server has it', async () => {
    server.answer({ ...folderWith(), [sbom]: serve(Buffer.from('{}')) });
    await using previous = await openPrevious(server.url(manifest).href, http);
    const beside = previous.path.replace('release.json', 'sbom.cdx.json');
    expect(await readFile(beside, 'utf8')).toBe('{}');
  });

  it('fails if the previous release has no signature', async () => {
    server.answer({ ...folderWith(), [`${manifest}.sig`]: status(404) });
    await expect(openPrevious(server.url(manifest).href, http)).rejects.toMatchObject({
      code: 'HTTP_STATUS',
    });
  });

  it('must be the URL of a release.json', async () => {
    await expect(openPrevious(server.url('/r/').href, http)).rejects.toMatchObject({
      code: 'USAGE',
    });
  });
});
