import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeChannel } from '#contract/channel/channel.ts';
import { formatKeyId } from '#contract/trust/keys.ts';
import { folderWith } from '../../builder/deliver/packaged/rig.ts';
import { serve, status } from '../../faulty-server/faults.ts';
import { FaultyServer } from '../../faulty-server/faulty-server.ts';
import { inTerminal, keys } from '../../pty/terminal.ts';
import { releaseKey, strangerKey } from '../../simulator/keys.ts';
import { workFolder } from '../../simulator/work-folder.ts';
import { ReleaseRig } from './release-rig.ts';

const sshKey =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOfVscOQjj0xpAv9TsSsXHMgaePCX3vFCzV9Y1yHldL8 me@laptop';

let home: string;
let rig: ReleaseRig;
let server: FaultyServer;
/** The environment of a workflow that describes the release. */
let facts: NodeJS.ProcessEnv;

beforeAll(async () => {
  home = await workFolder();
  rig = await ReleaseRig.start(join(home, 'checkout'));
  server = await FaultyServer.start(status(404));
  facts = {
    LANDFALL_RELEASE_URLS: `${server.origin}/v{version}/`,
    LANDFALL_RELEASE_KEY_ID: releaseKey.public.id,
    LANDFALL_RELEASE_KEY_PAGE: 'https://keys.example.org/',
  };
});
afterAll(() => Promise.all([rig.close(), server.close()]));

const output = (name: string) => join(home, name);

/** Serves the files of a folder. */
async function serveFolder(folder: string, at: string): Promise<void> {
  const routes = await Promise.all(
    (await readdir(folder)).map(
      async (name) => [`${at}${name}`, serve(await readFile(join(folder, name)))] as const,
    ),
  );
  server.answer(Object.fromEntries(routes));
}

describe('npm run release', () => {
  it('lists everything that prevents the release, and writes nothing', async () => {
    await rig.write('note.txt', 'not committed');
    const { exitCode, stdout } = await rig.release(['v1.2.0', '--json', '--output', output('no')]);
    expect(exitCode).toBe(3);
    const messages = JSON.parse(stdout).error.problems.map(
      ({ message }: { message: string }) => message,
    );
    expect(messages).toEqual([
      'package.json has the version 0.1.0, not 1.2.0',
      'appliance.yaml has the version 0.1.0, not 1.2.0',
      'not committed: note.txt',
      'appliance.lock.yaml is missing; run `landfall lock`',
      'CHANGELOG.md has no text below "## 1.2.0"',
    ]);
    expect(await readdir(home)).not.toContain('no');
  });

  it('makes a release that other tools verify', async () => {
    await rig.bump('1.2.0', '- The first release.');
    expect(await rig.lock()).toMatchObject({ exitCode: 0 });
    await rig.commit('release 1.2.0');
    const run = await rig.release(['v1.2.0', '--output', output('first')], facts);
    expect(run).toMatchObject({ exitCode: 0 });
    const names = await readdir(output('first'));
    const of = (arch: string) =>
      ['release.json', 'release.json.sig', 'release.sigstore.json', 'sbom.cdx.json', 'tar'].map(
        (member) => `landfall-1.2.0-${arch}.${member}`,
      );
    const described = ['landfall-1.2.0.channel.json', 'landfall-1.2.0.tgz', 'notes.md'];
    const pages = ['configurator.html', 'index.html'];
    const common = ['SHA256SUMS', ...pages, ...described, 'release.pub'];
    expect(names.sort()).toEqual([...common, ...of('amd64'), ...of('arm64')].sort());
    const options = { cwd: output('first') };
    const sums = await execa('sha256sum', ['--check', '--strict', 'SHA256SUMS'], options);
    expect(sums.stdout.split('\n')).toHaveLength(names.length - 1);
    const signature = ['-signature', 'landfall-1.2.0-arm64.release.json.sig'];
    const manifest = 'landfall-1.2.0-arm64.release.json';
    const verify = ['dgst', '-sha256', '-verify', 'release.pub', ...signature, manifest];
    expect((await execa('openssl', verify, options)).stdout).toBe('Verified OK');
    const page = await readFile(join(output('first'), 'index.html'), 'utf8');
    for (const name of names.filter((each) => each !== 'index.html'))
      expect(page).toContain(`<a href="${name}">${name}</a>`);
    expect(page).toContain(formatKeyId(releaseKey.public.id));
    expect(await readFile(join(output('first'), 'notes.md'), 'utf8')).toMatch(
      /^- The first release\.\n\n## Verify this release/,
    );
    const entry = await readFile(join(output('first'), 'landfall-1.2.0.channel.json'));
    expect(decodeChannel(entry, 'reject').channel.releases).toMatchObject([
      {
        notes: '- The first release.',
        security: 'none',
        bundles: {
          amd64: { thin: { urls: ['v1.2.0/landfall-1.2.0-amd64.tar'] } },
          arm64: { thin: { urls: ['v1.2.0/landfall-1.2.0-arm64.tar'] } },
        },
      },
    ]);
  });

  it('keeps an existing folder', async () => {
    const { exitCode, stderr } = await rig.release(['v1.2.0', '--output', output('first')]);
    expect(exitCode).toBe(8);
    expect(stderr).toContain('FILE_EXISTS');
  });

  it('makes the same files from bundles of separate jobs, without their key', async () => {
    const collected = output('collected');
    await mkdir(collected);
    for (const arch of ['amd64', 'arm64']) {
      const job = ['v1.2.0', '--only', `${arch}/thin`, '--output', output(arch)];
      expect(await rig.release(job)).toMatchObject({ exitCode: 0 });
      expect(await readdir(output(arch))).toHaveLength(6);
      await execa('cp', ['-r', `${output(arch)}/.`, collected]);
    }
    const rest = ['v1.2.0', '--built', collected, '--output', output('joined')];
    const keyless = { ...facts, LANDFALL_RELEASE_KEYS: releaseKey.public.spki };
    expect(await rig.release(rest, keyless)).toMatchObject({ exitCode: 0 });
    expect(await readdir(output('joined'))).toEqual(await readdir(output('first')));
    const manifest = 'landfall-1.2.0-amd64.release.json';
    const [one, other] = await Promise.all(
      ['first', 'joined'].map((folder) => readFile(join(output(folder), manifest), 'utf8')),
    );
    expect(other).toBe(one);
  });

  it('rejects bundles of another key or with missing files', async () => {
    const args = ['v1.2.0', '--built', output('collected'), '--output', output('no')];
    const stranger = { LANDFALL_RELEASE_KEYS: strangerKey.public.spki };
    expect((await rig.release(args, stranger)).stderr).toContain('BUNDLE_UNTRUSTED');
    const partly = ['v1.2.0', '--built', output('amd64'), '--output', output('no')];
    const known = { LANDFALL_RELEASE_KEYS: releaseKey.public.spki };
    expect((await rig.release(partly, known)).stderr).toContain(
      'landfall-1.2.0-arm64.release.json.sig is missing',
    );
    expect((await readdir(home)).filter((name) => name.startsWith('no'))).toEqual([]);
  });

  it('rejects facts that do not describe the release, before it builds', async () => {
    const args = ['v1.2.0', '--output', output('no')];
    const other = { ...facts, LANDFALL_RELEASE_KEY_ID: strangerKey.public.id };
    const { exitCode, stderr } = await rig.release(args, other);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('LANDFALL_RELEASE_KEY_ID is not the ID of the first key');
  });

  it('describes the differences from a previous release', async () => {
    await rig.bump('1.3.0', '- The second release.');
    expect(await rig.lock()).toMatchObject({ exitCode: 0 });
    await rig.commit('release 1.3.0');
    const previous = join(output('first'), 'landfall-1.2.0-amd64.release.json');
    const args = ['v1.3.0', '--kind', 'full', '--previous', previous];
    const run = await rig.release([...args, '--output', output('second')], facts);
    expect(run).toMatchObject({ exitCode: 0 });
    const notes = await readFile(join(output('second'), 'notes.md'), 'utf8');
    expect(notes).toContain('- The second release.');
    expect(notes).toContain('| changed | `version` | `1.2.0` | `1.3.0` |');
  });

  it('makes full bundles in parts, whose package leads to user-data with their size', async () => {
    const args = ['v1.3.0', '--kind', 'full', '--max-part-size', '300kB'];
    const run = await rig.release([...args, '--output', output('parts')], facts);
    expect(run).toMatchObject({ exitCode: 0 });
    const names = await readdir(output('parts'));
    expect(names).toContain('landfall-1.3.0-arm64.tar.001');
    expect(names).not.toContain('landfall-1.3.0-arm64.tar');
    const page = await readFile(join(output('parts'), 'index.html'), 'utf8');
    expect(page).toContain('Part of a bundle; a server downloads all parts');

    const folder = output('parts-user');
    await mkdir(folder);
    await execa('tar', ['-xzf', join(output('parts'), 'landfall-1.3.0.tgz'), '-C', folder]);
    const site = { release: [server.url('/v1.3.0/').href], admin: { ssh_keys: [sshKey] } };
    await writeFile(join(folder, 'site.yaml'), JSON.stringify(site));
    await serveFolder(output('parts'), '/v1.3.0/');
    const program = join(folder, 'package/builder/bin/landfall.mjs');
    const userData = [program, 'user-data', '--check-urls', '--json'];
    const { stdout } = await execa(process.execPath, userData, { cwd: folder, stdin: 'ignore' });
    expect(JSON.parse(stdout).urls).toMatchObject([
      { arch: 'amd64', state: 'served', partSize: 300_000 },
      { arch: 'arm64', state: 'served', partSize: 300_000 },
    ]);
    const text = await readFile(join(folder, 'user-data.yaml'), 'utf8');
    expect(text).toContain('"parts": {"amd64":300000,"arm64":300000}');
  });
});

describe('the package of a release, on a terminal', () => {
  let program: string;
  let folder: string;
  beforeAll(async () => {
    folder = output('user');
    await mkdir(join(folder, '.ssh'), { recursive: true });
    await writeFile(join(folder, '.ssh/id.pub'), `${sshKey}\n`);
    const tarball = join(output('first'), 'landfall-1.2.0.tgz');
    await execa('tar', ['-xzf', tarball, '-C', folder]);
    program = join(folder, 'package/builder/bin/landfall.mjs');
  });

  const landfall = (...args: string[]) =>
    inTerminal([process.execPath, program, ...args], { cwd: folder });
  const userData = () => landfall('user-data', '--site', 'mine/site.yaml').end();

  it('leads from init to accepted user-data without a build', async () => {
    await serveFolder(output('first'), '/v1.2.0/');
    const init = landfall('init', 'mine');
    for (const question of [
      'Which release should the server install?',
      'Which SSH keys may log in',
      'Host name of the chat UI',
      'Which TLS certificate',
      'Email address',
      'How does the server reach the internet?',
      'Does the server need mirrors',
      'Time zone of the server',
      'Hosted providers',
    ]) {
      await init.shows(question);
      init.type(keys.enter);
    }
    const made = await init.end();
    expect(made.status).toBe(0);
    expect(made.text).toContain('compare it with https://keys.example.org/');
    expect(await readdir(join(folder, 'mine'))).not.toContain('appliance.yaml');

    const end = await userData();
    expect(end.text).toContain(`${formatKeyId(releaseKey.public.id)}  (release key)`);
    expect(end.status).toBe(0);
    const checked = await landfall('user-data', '--site', 'mine/site.yaml', '--check-urls').end();
    expect(checked.text).toMatch(/serves +http:.*landfall-1\.2\.0-arm64\.tar/);
    expect(checked.status).toBe(0);
    expect(await readFile(join(folder, 'user-data.yaml'), 'utf8')).toMatch(/^#cloud-config\n/);
  });

  it('rejects a release of another key', async () => {
    server.answer(folderWith({}, strangerKey, '/v1.2.0/'));
    const { status: code, text } = await userData();
    expect(text).toContain('BUNDLE_UNTRUSTED');
    expect(code).toBe(6);
  });

  it('reports a missing release', async () => {
    server.answer(status(404));
    const { status: code, text } = await userData();
    expect(text).toContain('USER_DATA_URL');
    expect(code).toBe(9);
  });
});
