import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Release } from '#contract/bundle/release.ts';
import {
  expectSource,
  firstDifference,
  leftOut,
} from '../../../../builder/bundle/reproduce/reproduce.ts';
import type { Appliance } from '../../../../builder/inputs/config/appliance.ts';
import { releaseWith } from './rig.ts';

const model = { name: 'tiny:1b', role: 'chat' as const, manifest: null, size: null };
const image = {
  component: 'ui',
  reference: 'team/ui:1',
  index: `sha256:${'0'.repeat(64)}`,
  manifest: null,
  config: null,
  size: null,
  optional: false,
};
const components = {
  ui: { image: 'team/ui:1', optional: false },
  chat: { image: 'team/chat:1', optional: true },
  engine: { image: 'team/engine:1', optional: false },
};

it('finds optional components and models that a release does not have', () => {
  const models = [{ name: 'tiny:1b' }, { name: 'large:70b' }];
  const appliance = { components, models };
  const release = releaseWith([{ path: 'a', sha256: '0'.repeat(64) }], {
    images: [image],
    models: [model],
  });
  expect([...leftOut(appliance, release)]).toEqual(['chat', 'large:70b']);
});

const release = releaseWith([{ path: 'a', sha256: '0'.repeat(64) }]);
const appliance = { name: 'landfall', version: '1.2.3' } as Appliance;

let folder: string;
let config: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-source-'));
  config = join(folder, 'appliance.yaml');
  await writeFile(config, 'version: 1.2.3\n');
});
afterEach(() => rm(folder, { recursive: true }));

const git = (...args: string[]) =>
  execa('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], {
    cwd: folder,
  });

async function commit(): Promise<void> {
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'a change');
}

describe('the source of a release', () => {
  it('accepts a source of the same product and version as the release, also without git', async () => {
    await expect(expectSource(appliance, config, release)).resolves.toBeUndefined();
    await expect(
      expectSource({ ...appliance, version: '1.3.0' }, config, release),
    ).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      problems: [{ message: `${config} describes landfall 1.3.0, not landfall 1.2.3` }],
      hint: expect.stringContaining('package'),
    });
  });

  it('rejects a source of a release with an uncommitted change', async () => {
    await git('init', '--quiet');
    await commit();
    await expect(expectSource(appliance, config, release)).resolves.toBeUndefined();
    await writeFile(join(folder, 'more'), '');
    await expect(expectSource(appliance, config, release)).rejects.toMatchObject({
      problems: [{ message: 'not committed: more' }],
      hint: expect.stringContaining('git checkout v1.2.3'),
    });
  });

  it('requires the source of a release to be at the tag of the version', async () => {
    await git('init', '--quiet');
    await commit();
    await git('tag', 'v1.2.3');
    await expect(expectSource(appliance, config, release)).resolves.toBeUndefined();
    await writeFile(join(folder, 'more'), '');
    await commit();
    await expect(expectSource(appliance, config, release)).rejects.toMatchObject({
      problems: [{ message: 'the tag v1.2.3 is at another commit' }],
    });
  });
});

describe('the first difference between two releases', () => {
  const release = releaseWith([
    { path: 'NOTICE', sha256: 'a'.repeat(64) },
    { path: 'program/landfall.mjs', sha256: 'b'.repeat(64) },
  ]);

  const changed = (change: Partial<Release>): Release => ({ ...release, ...change });

  it('returns no difference between two equal releases', () => {
    expect(firstDifference(release, structuredClone(release))).toBeUndefined();
  });

  it('returns the first file with other content, with both digests', () => {
    const built = releaseWith([
      { path: 'NOTICE', sha256: 'a'.repeat(64) },
      { path: 'program/landfall.mjs', sha256: 'c'.repeat(64) },
    ]);
    expect(firstDifference(release, { ...built, version: '9.0.0' })).toEqual({
      path: 'program/landfall.mjs',
      published: 'b'.repeat(64),
      built: 'c'.repeat(64),
    });
  });

  it('returns a file that one of two releases does not have', () => {
    const less = releaseWith([{ path: 'NOTICE', sha256: 'a'.repeat(64) }]);
    expect(firstDifference(release, less)).toEqual({
      path: 'program/landfall.mjs',
      published: 'b'.repeat(64),
      built: 'absent',
    });
    expect(firstDifference(less, release)?.published).toBe('absent');
  });

  it('returns a different field if all files of two releases are equal', () => {
    const other = changed({ keys: { ...release.keys, recovery: 'x' } });
    expect(firstDifference(release, other)).toEqual({
      path: 'keys.recovery',
      published: 'null',
      built: '"x"',
    });
    const critical = [{ field: 'images.runtime', since: '1.0.0' }];
    expect(firstDifference(release, changed({ critical }))).toMatchObject({
      path: 'critical.0.field',
      published: 'absent',
    });
  });

  it('returns the order of the files if two releases differ only in it', () => {
    const files = release.files.toReversed();
    expect(firstDifference(release, { ...release, files })).toMatchObject({
      path: 'files.0.path',
      published: '"NOTICE"',
    });
  });
});
