import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Release } from '#contract/bundle/release.ts';
import type { ReleasePlan } from '../../../../builder/publish/release/check-release.ts';
import { writeNotes } from '../../../../builder/publish/release/write-notes.ts';
import { type KeyPair, releaseKey, strangerKey } from '../../../simulator/keys.ts';
import { workFolder } from '../../../simulator/work-folder.ts';
import { makeHead } from '../../deliver/packaged/rig.ts';

const plan = {
  changes: '- A change.',
  appliance: { name: 'landfall', version: '1.3.0' },
} as ReleasePlan;

let folder: string;
beforeEach(async () => {
  folder = await workFolder();
  await write('new', '1.3.0', {});
});

/** Writes a release.json with its signature, and returns its path. */
async function write(name: string, version: string, change: Partial<Release>, signer?: KeyPair) {
  const path = join(folder, name, `landfall-${version}-${change.arch ?? 'amd64'}.release.json`);
  const head = makeHead({ version, ...change }, signer);
  await mkdir(join(folder, name), { recursive: true });
  await writeFile(path, head.get('release.json') ?? '');
  await writeFile(`${path}.sig`, head.get('release.json.sig') ?? '');
  return path;
}

/** Writes the notes and returns them. */
async function notes(...previous: string[]): Promise<string> {
  const output = join(folder, 'new');
  const keys = { release: [releaseKey.public], recovery: undefined };
  await writeNotes({ folder: output, plan, key: releaseKey.public, keys, previous });
  return await readFile(join(output, 'notes.md'), 'utf8');
}

describe('the notes of a release', () => {
  it('begin with the changes and say how to verify the release', async () => {
    expect(await notes()).toMatch(/^- A change\.\n\n## Verify this release\n/);
  });

  it('describe the differences from a previous release, and verify its signature', async () => {
    const text = await notes(await write('old', '1.2.0', {}));
    expect(text).toContain('| changed | `version` | `1.2.0` | `1.3.0` |');
    expect(text).toContain('Both releases are signed by');
  });

  it('reject a previous release of another key', async () => {
    const path = await write('old', '1.2.0', {}, strangerKey);
    await expect(notes(path)).rejects.toMatchObject({ code: 'BUNDLE_UNTRUSTED' });
  });

  it('reject a previous release of an architecture that is not built', async () => {
    const path = await write('old', '1.2.0', { arch: 'arm64' });
    await expect(notes(path)).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('is for arm64, which is not built'),
    });
  });

  it('reject a lock file as previous release', async () => {
    await expect(notes(join(folder, 'old.lock.yaml'))).rejects.toMatchObject({ code: 'USAGE' });
  });
});
