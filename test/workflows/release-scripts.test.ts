import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { workFolder } from '../simulator/work-folder.ts';
import { GhStandIn } from '../stand-ins/code-host/gh-stand-in.ts';
import { runJob as run } from './run-job.ts';

let host: GhStandIn;
let folder: string;
beforeEach(async () => {
  folder = await workFolder();
  host = await GhStandIn.create(join(folder, 'host'));
});

/** The project's own programs only record their arguments, and git knows the previous tag of a test. */
const programs = `npm() { echo "$@" >> npm.log; }
git() { test -n "$PREVIOUS" && echo "$PREVIOUS"; }`;

/** Runs the scripts of a job of the release workflow that use releases. */
const runJob = (name: string, env: NodeJS.ProcessEnv = {}) =>
  run('release.yml', name, { host, folder, programs, env, scripts: /gh |npm run release/ });

describe('a script of the release workflow with a stand-in for gh', () => {
  it('creates a draft for each kind of bundle at the commit, and keeps existing drafts', async () => {
    await host.add('v1.2.3', true);
    expect(await runJob('draft')).toMatchObject({ exitCode: 0 });
    expect((await host.state()).releases).toMatchObject([
      { tag: 'v1.2.3', isDraft: true },
      { tag: 'full-v1.2.3', title: 'full-v1.2.3', isDraft: true, target: 'a'.repeat(40) },
    ]);
  });

  it('stops if the release is already published', async () => {
    await host.add('v1.2.3', false);
    const { exitCode, all } = await runJob('draft');
    expect({ exitCode, all }).toEqual({
      exitCode: 1,
      all: 'v1.2.3 is already published: use a new version',
    });
    expect((await host.state()).releases).toHaveLength(1);
  });

  it.each([
    ['reproduce', ['l-1-amd64.release.json', 'l-1-amd64.release.json.sig']],
    [
      'install',
      ['l-1-amd64.release.json', 'l-1-amd64.release.json.sig', 'l-1-amd64.tar', 'release.pub'],
    ],
    ['describe', undefined],
  ])('downloads to %s what the job needs of the draft', async (name, expected) => {
    await host.add('v1.2.3', true);
    const names = ['amd64', 'arm64'].flatMap((arch) =>
      ['release.json', 'release.json.sig', 'tar'].map((member) => `l-1-${arch}.${member}`),
    );
    for (const each of [...names, 'release.pub']) await host.put('v1.2.3', each, each);
    await mkdir(join(folder, name, 'dist/release'), { recursive: true });
    await writeFile(join(folder, name, 'dist/release/notes.md'), '');
    const { work } = await runJob(name, { TAG: 'v1.2.3', ARCH: 'amd64' });
    expect((await readdir(join(work, 'release'))).sort()).toEqual(
      expected ?? [...names, 'release.pub'],
    );
  });

  it('downloads the previous release, and passes it to the release script', async () => {
    await host.add('v1.2.2', true);
    for (const member of ['release.json', 'release.json.sig', 'sbom.cdx.json', 'tar'])
      await host.put('v1.2.2', `l-0-amd64.${member}`, member);
    await host.add('v1.2.3', true);
    await host.put('v1.2.3', 'a', 'a');
    const work = join(folder, 'describe');
    await mkdir(join(work, 'dist/release'), { recursive: true });
    await writeFile(join(work, 'dist/release/notes.md'), '');
    expect(await runJob('describe', { PREVIOUS: 'v1.2.2' })).toMatchObject({ exitCode: 0 });
    expect(await readdir(join(work, 'previous'))).toHaveLength(3);
    const [release, upload] = (await readFile(join(work, 'npm.log'), 'utf8')).split('\n');
    expect(release).toMatch(/^run release -- v1\.2\.3 .* --previous \S*l-0-amd64\.release\.json$/);
    expect(upload).toBe('run upload -- v1.2.3 dist/release/notes.md');
  });

  it('shortens notes that the code host would reject', async () => {
    await host.add('v1.2.3', true);
    await host.put('v1.2.3', 'a', 'a');
    await mkdir(join(folder, 'describe/dist/release'), { recursive: true });
    await writeFile(join(folder, 'describe/dist/release/notes.md'), 'a line\n'.repeat(30_000));
    expect(await runJob('describe')).toMatchObject({ exitCode: 0 });
    const [{ notes = '' } = {}] = (await host.state()).releases;
    expect(notes).toMatch(/^a line\na line\n/);
    expect(notes.length).toBe(125_000);
  });

  it('publishes both drafts, and shows the thin release as the latest', async () => {
    await host.add('v1.2.3', true);
    await host.add('full-v1.2.3', true);
    expect(await runJob('publish')).toMatchObject({ exitCode: 0 });
    expect((await host.state()).releases).toMatchObject([
      { tag: 'v1.2.3', isDraft: false, isLatest: true },
      { tag: 'full-v1.2.3', isDraft: false, isLatest: false },
    ]);
  });

  it('starts the workflow that adds the release to the channel', async () => {
    expect(await runJob('announce')).toMatchObject({ exitCode: 0 });
    expect((await host.state()).runs).toEqual([
      { workflow: 'channel.yml', ref: 'v1.2.3', inputs: ['change=add', 'version=1.2.3'] },
    ]);
  });
});
