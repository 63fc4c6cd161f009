import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { headOf } from '../../simulator/head-of.ts';
import { releaseKey } from '../../simulator/keys.ts';
import { workFolder } from '../../simulator/work-folder.ts';
import { publicKey, ReleaseRig } from '../builder/release-rig.ts';
import { ToolsOfTrixie } from '../builder/tools-of-trixie.ts';
import { needs } from '../needs.ts';
import { installNode } from './node-versions.ts';

/*
 * The whole way of a release, from the release script to its users. Related parts are tested elsewhere:
 * from `init` in its package to user-data without a build in ../builder/release.test.ts, and other
 * surroundings of a reproduction in reproduce.test.ts.
 */
const debian = needs('trixie');
const commit = 'c'.repeat(40);
const manifest = 'landfall-1.3.0-amd64.release.json';

debian.describe('a release of the release script', () => {
  let home: string;
  let rig: ReleaseRig;
  let program: string;
  const released = (name: string) => join(home, 'v1.3.0', name);

  async function release(version: string, more: string[], env: NodeJS.ProcessEnv = {}) {
    await rig.bump(version, `- The release ${version}.`);
    expect(await rig.lock()).toMatchObject({ exitCode: 0 });
    await rig.commit(`release ${version}`);
    const args = [`v${version}`, '--output', join(home, `v${version}`), ...more];
    expect(await rig.release(args, env)).toMatchObject({ exitCode: 0 });
  }

  beforeAll(async () => {
    home = await workFolder();
    rig = await ReleaseRig.start(join(home, 'checkout'));
    await release('1.2.0', []);
    await release('1.3.0', ['--previous', join(home, 'v1.2.0/landfall-1.2.0-amd64.tar')], {
      GITHUB_ACTIONS: 'true',
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_REPOSITORY: 'OWNER/landfall',
      GITHUB_REF: 'refs/tags/v1.3.0',
      GITHUB_SHA: commit,
      GITHUB_WORKFLOW_REF: 'OWNER/landfall/.github/workflows/release.yml@refs/tags/v1.3.0',
      RUNNER_ENVIRONMENT: 'github-hosted',
    });
    await mkdir(join(home, 'user'));
    await execa('tar', ['-xzf', released('landfall-1.3.0.tgz'), '-C', join(home, 'user')]);
    program = join(home, 'user/package/builder/bin/landfall.mjs');
  });
  afterAll(() => rig.close());

  it('publishes a release that openssl, cosign and landfall verify accept', async () => {
    const tools = new ToolsOfTrixie(debian.trixie, await workFolder());
    const bundle = await readFile(released('landfall-1.3.0-amd64.tar'));
    const paths: Record<string, string> = {};
    for (const [member, bytes] of headOf(bundle)) paths[member] = await tools.write(member, bytes);
    const key = await tools.write('release.pub', publicKey);
    const of = (member: string) => paths[member] ?? '';
    const blob = of('release.json');
    expect(await tools.digested(key, of('release.json.sig'), blob)).toBe(true);
    expect(await tools.signed(key, of('release.sigstore.json'), blob)).toBe(true);
    expect(await tools.attested(key, of('provenance.sigstore.json'), blob)).toBe(true);
    await writeFile(join(home, 'trusted.pub'), publicKey);
    const args = [released('landfall-1.3.0-amd64.tar'), '--key', join(home, 'trusted.pub')];
    const verified = await rig.run([process.execPath, program, 'verify', ...args, '--json']);
    expect(JSON.parse(verified.stdout)).toMatchObject({
      verified: true,
      version: '1.3.0',
      signer: { keyId: releaseKey.public.id },
    });
  });

  it('names the commit and the workflow in its provenance', async () => {
    const head = headOf(await readFile(released('landfall-1.3.0-amd64.tar')));
    const { dsseEnvelope } = JSON.parse(String(head.get('provenance.sigstore.json')));
    const statement = JSON.parse(Buffer.from(dsseEnvelope.payload, 'base64').toString());
    const { buildDefinition, runDetails } = statement.predicate;
    expect(buildDefinition.resolvedDependencies[0]).toEqual({
      uri: 'git+https://github.com/OWNER/landfall@refs/tags/v1.3.0',
      digest: { gitCommit: commit },
    });
    expect(runDetails.builder.id).toBe(
      'https://github.com/OWNER/landfall/.github/workflows/release.yml@refs/tags/v1.3.0',
    );
  });

  it('reproduces a release on another Node and in another folder from its release.json alone', async () => {
    const node = await installNode('26.10.0', home);
    const alone = join(home, 'alone');
    await mkdir(alone);
    await cp(released(manifest), join(alone, manifest));
    const words = [node, program, 'build', '--reproduce', manifest, '--json'];
    const run = await rig.run([...words, ...rig.network('other')], { cwd: alone });
    expect(run).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(run.stdout)).toMatchObject({ reproduced: true, version: '1.3.0' });
  });

  it('contains the page that makes user-data, which knows its keys', async () => {
    const page = await readFile(released('configurator.html'));
    const sums = await readFile(released('SHA256SUMS'), 'utf8');
    expect(sums).toContain(
      `${createHash('sha256').update(page).digest('hex')}  configurator.html\n`,
    );
    const [, facts = ''] = /id="facts">([^<]*)</.exec(String(page)) ?? [];
    expect(JSON.parse(facts)).toMatchObject({
      version: '1.3.0',
      keys: { release: [releaseKey.public.spki] },
      files: { [manifest]: (await readFile(released(manifest))).toString('base64') },
    });
  });

  it('publishes the release notes that landfall diff wrote', async () => {
    const bundles = ['1.2.0', '1.3.0'].map((version) =>
      join(home, `v${version}/landfall-${version}-amd64.tar`),
    );
    const diff = await rig.run([process.execPath, program, 'diff', ...bundles, '--markdown']);
    const rows = diff.stdout.split('\n').filter((line) => line.startsWith('| '));
    const notes = await readFile(released('notes.md'), 'utf8');
    expect(rows.length).toBeGreaterThan(3);
    for (const row of rows) expect(notes).toContain(row);
    expect(notes).toContain('- The release 1.3.0.');
  });
});
