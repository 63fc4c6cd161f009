import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workFolder } from '../../simulator/work-folder.ts';
import { ReleaseRig } from '../builder/release-rig.ts';
import { installNode } from './node-versions.ts';

const name = 'landfall-1.2.0-amd64.release.json';

let home: string;
let rig: ReleaseRig;
/** Folder with only a `release.json` and its signature. */
let published: string;
const nodes = new Map<string, string>([['24', process.execPath]]);

beforeAll(async () => {
  home = await workFolder();
  rig = await ReleaseRig.start(join(home, 'checkout'));
  await rig.bump('1.2.0', '- The first release.');
  expect(await rig.lock()).toMatchObject({ exitCode: 0 });
  await rig.commit('release 1.2.0');
  await rig.git('tag', 'v1.2.0');
  const output = ['--output', join(home, 'release')];
  expect(await rig.release(['v1.2.0', ...output])).toMatchObject({ exitCode: 0 });
  published = join(home, 'published');
  await mkdir(published);
  for (const file of [name, `${name}.sig`])
    await cp(join(home, 'release', file), join(published, file));
  nodes.set('22', await installNode('22.23.3', home));
  nodes.set('26', await installNode('26.10.0', home));
});
afterAll(() => rig.close());

/** Clones the checkout of the tag, with its packages. */
async function clone(folder: string, umask = '022'): Promise<string> {
  const path = join(home, folder);
  const script = 'umask "$1" && git clone --quiet --branch v1.2.0 "$2" "$3"';
  await execa('sh', ['-c', script, 'sh', umask, rig.folder, path], { stdin: 'ignore' });
  const modules = join(path, 'node_modules');
  await execa('cp', ['-al', join(rig.folder, 'node_modules'), modules]);
  // Newer than the lock file of the clone: the installation is complete.
  const record = join(modules, '.package-lock.json');
  const content = await readFile(record);
  await rm(record);
  await writeFile(record, content);
  return path;
}

interface Surroundings {
  readonly node?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly umask?: string;
}

/** Reproduces the release with a separate store. */
function reproduce(program: string, cwd: string, surroundings: Surroundings = {}) {
  const { node = '24', env = {}, umask = '022' } = surroundings;
  const args = ['build', '--reproduce', join(published, name), '--json', ...rig.network('other')];
  const words = [nodes.get(node) ?? '', program, ...args];
  return rig.run(['sh', '-c', 'umask "$0" && exec "$@"', umask, ...words], { cwd, env });
}

const success = { exitCode: 0, stdout: expect.stringContaining('"reproduced":true') };

describe('a release is reproduced by a clone of its tag', () => {
  let checkout: string;
  beforeAll(async () => {
    checkout = await clone('another/folder with a space');
  });
  const program = () => join(checkout, 'builder/bin/landfall.mjs');

  // Node 22 starts the program with the pinned Node of the packages.
  it.each(['22', '24', '26'])('on Node %s', async (node) => {
    expect(await reproduce(program(), home, { node })).toMatchObject(success);
  });

  it('with another time zone, locale and time', async () => {
    const env = { TZ: 'Pacific/Kiritimati', LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8' };
    const time = { SOURCE_DATE_EPOCH: '1000000000' };
    expect(await reproduce(program(), home, { env: { ...env, ...time } })).toMatchObject(success);
  });

  it('with the umask 077', async () => {
    const strict = await clone('strict', '077');
    const program = join(strict, 'builder/bin/landfall.mjs');
    expect(await reproduce(program, home, { umask: '077' })).toMatchObject(success);
  });

  it('but not after a change, or at another commit', async () => {
    const changed = await clone('changed');
    const program = join(changed, 'builder/bin/landfall.mjs');
    const git = (...args: string[]) =>
      execa('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], {
        cwd: changed,
      });
    await git('rm', '--quiet', 'SECURITY.md');
    const dirty = await reproduce(program, home);
    expect(dirty.exitCode).toBe(3);
    expect(dirty.stdout).toContain('not committed: SECURITY.md');
    await git('commit', '--quiet', '--message', 'another commit');
    const later = await reproduce(program, home);
    expect(later.exitCode).toBe(3);
    expect(later.stdout).toContain('the tag v1.2.0 is at another commit');
    await git('tag', '--delete', 'v1.2.0');
    expect(await reproduce(program, home)).toMatchObject(success);
    await execa('sh', ['-c', 'echo "# changed" >> compose/compose.yaml'], { cwd: changed });
    await git('commit', '--quiet', '--all', '--message', 'a change of the stack');
    const other = await reproduce(program, home);
    expect(other.exitCode).toBe(6);
    expect(other.stdout).toContain('compose/compose.yaml differs');
  });
});

describe('a release is reproduced by its npm package', () => {
  it.each(['22', '26'])('on Node %s, in a folder with nothing else', async (node) => {
    const folder = join(home, `package-${node}`);
    await mkdir(folder);
    const options = ['--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error'];
    const tarball = join(home, 'release/landfall-1.2.0.tgz');
    await execa('npm', ['install', ...options, tarball], { cwd: folder, stdin: 'ignore' });
    const program = join(folder, 'node_modules/landfall/builder/bin/landfall.mjs');
    expect(await reproduce(program, published, { node })).toMatchObject(success);
  });
});
