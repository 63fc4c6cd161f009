import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeRelease, type Release } from '#contract/bundle/release.ts';
import { digestOf, sha256Hex } from '#contract/trust/digest.ts';
import { formatKeyId } from '#contract/trust/keys.ts';
import {
  type ComparedRelease,
  compareReleases,
  versionsInSbom,
} from '../../../../builder/bundle/diff/compare-releases.ts';
import { sbomOf } from '../../../../builder/bundle/sbom/sbom.ts';
import { makeRelease } from '../../../simulator/bundle.ts';
import { releaseKey, secondKey } from '../../../simulator/keys.ts';
import { programWith, sbomInputs } from '../sbom/inputs.ts';
import { comparedRelease } from './arbitrary.ts';
import { allChanges, mirrored } from './mirror.ts';

const file = (path: string, text: string) => ({ path, content: Buffer.from(text) });
const files = [file('compose/compose.yaml', 'one'), file('runtime/node.tgz', 'node')];

function compared(change: Partial<Release> = {}, versions?: ComparedRelease['versions']) {
  const release = { ...makeRelease(files), ...change };
  return { release, manifestSha256: sha256Hex(encodeRelease(release)), versions };
}

const image = {
  component: 'engine',
  reference: 'ollama/ollama:1',
  index: digestOf('index'),
  manifest: digestOf('manifest'),
  config: null,
  size: 1000,
  optional: false,
};
const sbomWith = (packages: Record<string, string[]>, node = '24.0.0') => ({
  packages: new Map(Object.entries(packages)),
  programs: new Map([['node', node]]),
});

describe('the differences between two releases', () => {
  it('finds no differences of a release to itself, and mirrors them for swapped releases', () => {
    fc.assert(
      fc.property(comparedRelease, comparedRelease, (before, after) => {
        expect(allChanges(compareReleases({ before, after: before }))).toEqual([]);
        expect(compareReleases({ before, after })).toEqual(
          mirrored(compareReleases({ before: after, after: before })),
        );
      }),
    );
  });

  it('finds a difference between any releases with different manifests', () => {
    fc.assert(
      fc.property(comparedRelease, comparedRelease, (before, after) => {
        fc.pre(before.manifestSha256 !== after.manifestSha256);
        expect(compareReleases({ before, after }).facts).not.toEqual([]);
      }),
    );
  });

  it('lists changed fields of release.json, with key ids instead of keys', () => {
    const before = compared({ version: '1.0.0', updatesFrom: null });
    const keys = { release: [releaseKey.public.spki], recovery: null };
    const after = compared({ version: '1.1.0', updatesFrom: '1.0.0', keys });
    const { facts } = compareReleases({ before, after });
    expect(facts).toContainEqual({ name: 'version', before: '1.0.0', after: '1.1.0' });
    expect(facts).toContainEqual({ name: 'updatesFrom', before: null, after: '1.0.0' });
    const ids = [releaseKey, secondKey].map((key) => formatKeyId(key.public.id));
    expect(facts).toContainEqual({
      name: 'keys.release',
      before: ids.join(', '),
      after: ids[0],
    });
    expect(facts.find(({ name }) => name === 'keys.recovery')?.after).toBeNull();
  });

  it('lists a component whose tag moved to another image', () => {
    const [before, after] = [
      compared({ images: [image] }),
      compared({ images: [{ ...image, manifest: digestOf('other') }] }),
    ];
    const [change] = compareReleases({ before, after }).components;
    expect(change).toMatchObject({
      name: 'engine',
      before: { reference: 'ollama/ollama:1', manifest: digestOf('manifest') },
      after: { reference: 'ollama/ollama:1', manifest: digestOf('other') },
    });
  });

  it('do not have an assembled image whose local tag alone changed', () => {
    const base = { reference: 'node:24', index: digestOf('base') };
    const relay = { ...image, component: 'relay', base };
    const [before, after, rebased] = [
      { ...relay, reference: 'landfall.local/relay:1.0.0' },
      { ...relay, reference: 'landfall.local/relay:1.1.0' },
      { ...relay, base: { ...base, reference: 'node:26' } },
    ].map((each) => compared({ images: [each] }));
    if (!before || !after || !rebased) throw new Error('three releases');
    expect(compareReleases({ before, after }).components).toEqual([]);
    expect(compareReleases({ before, after: rebased }).components).toMatchObject([
      { before: { reference: 'node:24', assembled: true }, after: { reference: 'node:26' } },
    ]);
  });

  it('put files of the stack under settings, Node under runtime, and all but settings under files', () => {
    const before = compared();
    const other = makeRelease([
      file('compose/compose.yaml', 'two'),
      file('compose/new.yaml', ''),
      file('runtime/node.tgz', 'another node'),
    ]);
    const after = compared({ files: other.files });
    const changes = compareReleases({ before, after });
    const names = (list: 'settings' | 'runtime' | 'files') => changes[list].map(({ name }) => name);
    expect(names('settings')).toEqual(['compose/compose.yaml', 'compose/new.yaml']);
    expect(names('runtime')).toEqual(['node']);
    expect(names('files')).toEqual(['runtime/node.tgz']);
  });

  it('lists changed packages only if both SBOMs are known', () => {
    const before = compared({}, sbomWith({ zod: ['4.0.0'], semver: ['7.0.0'] }));
    const after = compared({}, sbomWith({ zod: ['4.0.0', '5.0.0'], undici: ['8.0.0'] }));
    expect(compareReleases({ before, after }).packages).toEqual([
      { name: 'semver', before: ['7.0.0'], after: null },
      { name: 'undici', before: null, after: ['8.0.0'] },
      { name: 'zod', before: ['4.0.0'], after: ['4.0.0', '5.0.0'] },
    ]);
    expect(compareReleases({ before, after: compared() }).packages).toBeNull();
  });

  it('do not have Node if only its version in an SBOM is unknown', () => {
    const before = compared({}, sbomWith({}));
    expect(compareReleases({ before, after: compared() }).runtime).toEqual([]);
  });
});

const encode = (value: unknown) => Buffer.from(JSON.stringify(value));

describe('the versions in an SBOM', () => {
  it('reads the versions of the npm packages and the programs of a build from an SBOM', async () => {
    const program = programWith(
      { name: 'zod', version: '4.0.0' },
      { name: '@a/b', version: '1.0.0' },
    );
    const scripts = new Map([['relay' as const, programWith({ name: 'zod', version: '3.0.0' })]]);
    const versions = versionsInSbom(await sbomOf({ ...sbomInputs(), program, scripts }));
    expect(versions?.packages).toEqual(
      new Map([
        ['@a/b', ['1.0.0']],
        ['zod', ['3.0.0', '4.0.0']],
      ]),
    );
    expect(versions?.programs.get('node')).toBe('24.22.3');
    expect(versions?.programs.get('docker-compose')).toBe('2.40.3');
  });

  it.each([
    ['not JSON', Buffer.from('<bom/>')],
    ['nested too deeply', Buffer.from('['.repeat(1_000_000))],
    ['another format', encode({ spdxVersion: 'SPDX-2.3', components: [] })],
    ['without components', encode({ bomFormat: 'CycloneDX' })],
    ['with a name that is no text', encode({ bomFormat: 'CycloneDX', components: [{ name: 1 }] })],
  ])('returns no versions for an SBOM file that is %s', (_what, bytes) => {
    expect(versionsInSbom(bytes)).toBeUndefined();
  });
});
