import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Appliance } from '../../../builder/config/appliance.ts';
import { expectSource } from '../../../builder/reproduce/expect-source.ts';
import { releaseWith } from './rig.ts';

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
  it('is an appliance of the same product and version, without git too', async () => {
    await expect(expectSource(appliance, config, release)).resolves.toBeUndefined();
    await expect(
      expectSource({ ...appliance, version: '1.3.0' }, config, release),
    ).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      problems: [{ message: `${config} describes landfall 1.3.0, not landfall 1.2.3` }],
      hint: expect.stringContaining('package'),
    });
  });

  it('has no uncommitted change', async () => {
    await git('init', '--quiet');
    await commit();
    await expect(expectSource(appliance, config, release)).resolves.toBeUndefined();
    await writeFile(join(folder, 'more'), '');
    await expect(expectSource(appliance, config, release)).rejects.toMatchObject({
      problems: [{ message: 'not committed: more' }],
      hint: expect.stringContaining('git checkout v1.2.3'),
    });
  });

  it('is at the tag of the version', async () => {
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
