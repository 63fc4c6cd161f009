import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CodeHost, codeHostAccess } from '../../../builder/release/code-host.ts';
import { uploadRelease } from '../../../builder/release/upload-release.ts';
import { workFolder } from '../../simulator/work-folder.ts';
import { CodeHostStandIn } from '../../stand-ins/code-host/code-host.ts';

let standIn: CodeHostStandIn;
let host: CodeHost;
let folder: string;
beforeEach(async () => {
  standIn = await CodeHostStandIn.start();
  host = new CodeHost(codeHostAccess(standIn.env));
  folder = await workFolder();
  await write('landfall-1.2.0-amd64.tar', 'a bundle');
});
afterEach(() => Promise.all([standIn.close(), host.close()]));

const write = (name: string, text: string) => writeFile(join(folder, name), text);

const upload = (kind: 'thin' | 'full', publish = false) =>
  uploadRelease(host, { tag: 'v1.2.0', kind, commit: 'a'.repeat(40), folder, publish });

describe('an upload', () => {
  it('uses a separate release for full bundles, which is not the latest', async () => {
    await upload('full', true);
    expect(standIn.releases()).toMatchObject([
      { tag_name: 'full-v1.2.0', draft: false, make_latest: 'false' },
    ]);
  });

  it('keeps a draft, and leaves its notes if the folder has none', async () => {
    standIn.add('v1.2.0', true);
    await upload('thin');
    await upload('thin');
    expect(standIn.releases()).toEqual([expect.objectContaining({ draft: true })]);
    expect(standIn.releases()[0]).not.toHaveProperty('body');
    expect(standIn.assetsOf(standIn.releases()[0]?.id ?? 0)).toHaveLength(1);
  });

  it('shortens notes that the code host would reject', async () => {
    await write('notes.md', 'a line\n'.repeat(30_000));
    await upload('thin');
    const { body = '' } = standIn.releases()[0] ?? {};
    expect(body.length).toBeLessThanOrEqual(125_000);
    expect(body).toMatch(/a line\n\nThe rest is in notes\.md\.\n$/);
  });

  it('sends nothing if a file is not accepted', async () => {
    await write('two words', '');
    await expect(upload('thin')).rejects.toMatchObject({ code: 'USAGE' });
    expect(standIn.requests()).toEqual([]);
  });

  it('does not change a published release', async () => {
    standIn.add('v1.2.0', false);
    await expect(upload('thin')).rejects.toMatchObject({ code: 'FILE_EXISTS' });
  });
});
