import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { beforeAll, expect, it } from 'vitest';
import { runInTerminal } from '../../pty/terminal.ts';
import { workFolder } from '../../simulator/work-folder.ts';
import { needs } from '../needs.ts';
import { BuilderRig } from './builder-rig.ts';

const real = needs('registry', 'images');
const root = fileURLToPath(new URL('../../..', import.meta.url));
const name = 'landfall-0.1.0-amd64';

/** The oldest Node of each release line that is an npm package. */
const versions = ['20.20.2', '22.23.3', '24.22.3', '26.10.0'];

real.describe('the npm package', () => {
  let folder: string;
  let tarball: string;
  const installed = () => join(folder, 'prefix/bin/landfall');
  const nodeOf = (version: string) =>
    join(folder, `node-${version}/node_modules/node-linux-${process.arch}/bin/node`);

  beforeAll(async () => {
    folder = await workFolder();
    const packed = await npm(['pack', '--json', '--pack-destination', folder], root);
    const [{ filename }] = JSON.parse(packed.slice(packed.indexOf('[\n'))) as [
      { filename: string },
    ];
    tarball = join(folder, filename);
    await npm(['install', '--global', '--prefix', join(folder, 'prefix'), tarball], folder);
    for (const version of versions) {
      const prefix = join(folder, `node-${version}`);
      await npm(['install', '--prefix', prefix, `node-linux-${process.arch}@${version}`], folder);
    }
  });

  it('installs the manual page where man(1) looks for it', async () => {
    const page = await readFile(join(folder, 'prefix/share/man/man1/landfall.1'), 'utf8');
    expect(page).toContain('.TH LANDFALL 1');
  });

  it('contains only these files: no sources, tests or keys', async () => {
    const { stdout } = await execa('tar', ['-tzf', tarball]);
    const files = stdout.split('\n').map((path) => path.replace(/^package\//, ''));
    const chunks = files.filter((path) =>
      /^builder\/prebuilt\/[\w.-]+-[A-Z0-9]{8}\.mjs$/.test(path),
    );
    expect(chunks.length).toBeGreaterThan(0);
    const rest = files.filter(
      (path) => !chunks.includes(path) && !/^(?:compose|docs)\//.test(path),
    );
    expect(rest.sort()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'README.zh-CN.md',
      'appliance/bootstrap/bootstrap',
      'appliance/bootstrap/fetch.py',
      'appliance/bootstrap/landfall-boot.service',
      'appliance/bootstrap/socks5.py',
      'appliance/bootstrap/unpack.py',
      'builder/bin/compile-cache.mjs',
      'builder/bin/landfall.mjs',
      'builder/bin/pinned-node.mjs',
      'builder/bundle/notice/texts/apache-2.0.txt',
      'builder/bundle/notice/texts/bsd-2-clause.txt',
      'builder/bundle/notice/texts/gpl-2.0.txt',
      'builder/bundle/notice/texts/gpl-3.0.txt',
      'builder/bundle/notice/texts/lobehub-community.txt',
      'builder/bundle/notice/texts/mit.txt',
      'builder/bundle/notice/texts/open-webui.txt',
      'builder/inputs/appliance.lock.yaml',
      'builder/inputs/appliance.yaml',
      'builder/inputs/config/appliance.schema.json',
      'builder/inputs/config/example-site.yaml',
      'builder/inputs/config/site.schema.json',
      'builder/prebuilt/cli.mjs',
      'builder/prebuilt/configurator.html',
      'builder/prebuilt/landfall.1',
      'builder/prebuilt/landfall.mjs',
      'builder/prebuilt/licenses.txt',
      'builder/prebuilt/packages.json',
      'builder/prebuilt/relay.mjs',
      'package.json',
    ]);
  });

  it.each(versions)('runs on Node %s, from another folder', async (version) => {
    const run = (...args: string[]) =>
      execa(nodeOf(version), [installed(), ...args], { cwd: folder, reject: false });
    expect(await run('--version')).toMatchObject({ exitCode: 0, stdout: '0.1.0' });
    const key = join(folder, `key-of-${version}`);
    expect(await run('keygen', '--output', key)).toMatchObject({ exitCode: 0 });
    expect(await readFile(`${key}.pub`, 'utf8')).toContain('BEGIN PUBLIC KEY');
    expect((await run('verify', 'absent.tar', '--key', `${key}.pub`)).exitCode).toBe(8);
  });

  it.each(['20.20.2', '24.22.3'])('exits in a terminal with Node %s', async (version) => {
    const words = [nodeOf(version), installed(), 'inspect', 'absent.tar'];
    const { status, text } = await runInTerminal(words, { cwd: folder });
    expect(status).toBe(8);
    expect(text).toContain('FILE_MISSING');
  });

  it('builds a release that is byte-identical to that of a checkout', async () => {
    const rig = new BuilderRig(join(folder, 'appliance'), real.registry);
    await rig.prepare({ gateway: 'nginx:1.30.7-alpine', tinyproxy: 'kalaksi/tinyproxy:1.7' });
    const packaged = new BuilderRig(rig.folder, real.registry, [nodeOf('20.20.2'), installed()]);
    await rig.build({ output: 'of-checkout' });
    await packaged.build({ output: 'of-package', store: 'another-store', more: ['--frozen'] });
    const [one, other] = await Promise.all(
      ['of-checkout', 'of-package'].map((output) => rig.read(output, `${name}.release.json`)),
    );
    expect(other?.toString()).toBe(one?.toString());
    rig.close();
  });
});

async function npm(args: readonly string[], cwd: string): Promise<string> {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const { stdout } = await execa('npm', [...args, ...quiet], { cwd, stdin: 'ignore' });
  return stdout;
}
