import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { sbom } from '#contract/bundle/bundle-paths.ts';
import { type ReleaseSide, readSide } from '../../../../builder/bundle/diff/sides.ts';
import { lockFileText } from '../../../../builder/inputs/lock/lock-file.ts';
import { makeBundle, type SimulatedFile, sha256 } from '../../../simulator/bundle.ts';
import { headOf } from '../../../simulator/head-of.ts';
import { recoveryKey, releaseKey, strangerKey } from '../../../simulator/keys.ts';
import { workFolder } from '../../../simulator/work-folder.ts';
import { lockFor, someAppliance } from '../../inputs/lock/fixture.ts';

const document = Buffer.from('{"bomFormat":"CycloneDX","components":[]}\n');
const files: readonly SimulatedFile[] = [
  { path: sbom, content: document },
  { path: 'compose/compose.yaml', content: Buffer.from('name: landfall\n') },
];
const bundle = makeBundle({ files });
const trusted = { release: [releaseKey.public], recovery: undefined };

let folder: string;
beforeEach(async () => {
  folder = await workFolder();
  await writeFile(join(folder, 'a.tar'), bundle);
  for (const name of ['release.json', 'release.json.sig']) {
    await writeFile(join(folder, `a.${name}`), headOf(bundle).get(name) ?? '');
  }
});

async function open(name: string, keys?: typeof trusted): Promise<ReleaseSide> {
  const side = await readSide(folder, name, keys);
  if (side.type === 'lock') throw new Error('this is a lock file');
  return side;
}

describe.each(['a.tar', 'a.release.json'])('the release %s', (name) => {
  it('opens a release without keys, and leaves it unverified', async () => {
    const side = await open(name);
    expect(side).toMatchObject({ name, release: { version: '1.2.0' }, signer: undefined });
    expect(side.manifestSha256).toBe(sha256(headOf(bundle).get('release.json') ?? document));
  });

  it('verifies a release with a key, also if it announces more keys', async () => {
    const side = await open(name, trusted);
    expect(side.signer).toMatchObject({ role: 'release', key: { id: releaseKey.public.id } });
  });

  it('rejects a release with another key, and names the file in the error', async () => {
    const stranger = { release: [strangerKey.public], recovery: undefined };
    await expect(open(name, stranger)).rejects.toMatchObject({
      code: 'BUNDLE_UNTRUSTED',
      message: expect.stringContaining(`${name}: no trusted key`),
    });
  });
});

describe('the files of a bundle', () => {
  it('reads the SBOM of a bundle', async () => {
    const side = await open('a.tar');
    expect(side.sbom).toEqual(document);
  });

  it('rejects an SBOM of a bundle whose content differs from release.json', async () => {
    const changed = Buffer.from(bundle);
    changed.write('{"bomFormat":"other', bundle.lastIndexOf('{"bomFormat"'));
    await writeFile(join(folder, 'a.tar'), changed);
    await expect(open('a.tar', trusted)).rejects.toMatchObject({
      code: 'BUNDLE_CONTENT',
      message: `a.tar: the SHA-256 of ${sbom} differs from release.json`,
    });
  });

  it('rejects a bundle that is truncated before its SBOM', async () => {
    await writeFile(join(folder, 'a.tar'), bundle.subarray(0, bundle.lastIndexOf('{"bomFormat"')));
    await expect(open('a.tar')).rejects.toMatchObject({ code: 'BUNDLE_TRUNCATED' });
  });
});

describe('the files of a release.json', () => {
  it('reads no files of a release.json, except an SBOM that is beside it', async () => {
    expect((await open('a.release.json')).sbom).toBeUndefined();
    await writeFile(join(folder, `a.${sbom}`), document);
    expect((await open('a.release.json')).sbom).toEqual(document);
  });

  it.each(['{}', `${document} `])(
    'rejects another SBOM beside a release.json: %s',
    async (text) => {
      await writeFile(join(folder, `a.${sbom}`), text);
      await expect(open('a.release.json')).rejects.toMatchObject({ code: 'BUNDLE_CONTENT' });
    },
  );
});

describe('a lock file', () => {
  const lock = lockFor(someAppliance({}));
  beforeEach(() => writeFile(join(folder, 'a.lock.yaml'), lockFileText(lock)));

  it('reads a lock file', async () => {
    expect(await readSide(folder, 'a.lock.yaml', undefined)).toMatchObject({ type: 'lock', lock });
  });

  it('cannot be verified with a key', async () => {
    await expect(readSide(folder, 'a.lock.yaml', trusted)).rejects.toMatchObject({ code: 'USAGE' });
  });

  it('rejects another YAML file as a lock file, without advice to delete it', async () => {
    await writeFile(join(folder, 'appliance.yaml'), 'name: landfall\n');
    await expect(readSide(folder, 'appliance.yaml', undefined)).rejects.toMatchObject({
      code: 'LOCK_INVALID',
      hint: expect.not.stringContaining('Delete'),
    });
  });
});

describe('a path without a release or a lock file', () => {
  it.each([
    ['none.tar', 'FILE_MISSING'],
    ['none.json', 'FILE_MISSING'],
    ['none.yaml', 'FILE_MISSING'],
    ['folder', 'FILE_ACCESS'],
    ['folder.json', 'FILE_ACCESS'],
    ['folder.yaml', 'FILE_ACCESS'],
  ])('rejects a path without a release or a lock file: %s', async (name, code) => {
    if (name.startsWith('folder')) await mkdir(join(folder, name));
    await expect(readSide(folder, name, undefined)).rejects.toMatchObject({ code });
  });
});

describe('a release signed by the recovery key', () => {
  it('verifies a release signed by the recovery key with that key', async () => {
    await writeFile(join(folder, 'b.tar'), makeBundle({ files, signer: recoveryKey }));
    const keys = { release: [], recovery: recoveryKey.public };
    const side = await readSide(folder, 'b.tar', keys);
    expect(side).toMatchObject({ signer: { role: 'recovery' } });
  });
});
