import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatKeyId } from '#contract/trust/keys.ts';
import { initCommand } from '../../../builder/commands/init.ts';
import { readSite } from '../../../builder/inputs/config/site.ts';
import { releaseKey } from '../../simulator/keys.ts';
import { packagedAt } from '../deliver/packaged/rig.ts';
import { personAt } from './person.ts';
import { runCommand, type TestTerminal, terminalIn } from './terminal.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-init-'));
  await writeFile(join(folder, 'facts.json'), JSON.stringify(packagedAt(...urls)));
});
afterEach(() => rm(folder, { recursive: true }));

const urls = ['https://example.com/1.2.0/', 'https://mirror.example.net/1.2.0/'];
const key =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl me@laptop';
const ssh = ['--ssh-key', key];

/** Runs the command in a package with a release. */
function init(terminal: TestTerminal, ...args: string[]): Promise<void> {
  const context = { ...terminal.context, packagedRelease: join(folder, 'facts.json') };
  return runCommand(initCommand, { ...terminal, context }, 'mine', ...args);
}
const files = async () => (await readdir(join(folder, 'mine'))).sort();
const ownFiles = ['.gitignore', '.landfall', 'appliance.lock.yaml', 'appliance.yaml', 'site.yaml'];

describe('landfall init in a package with a release', () => {
  it('writes only the site, with the URLs of the release', async () => {
    const terminal = terminalIn(folder);
    await init(terminal, ...ssh);
    expect(await files()).toEqual(['.gitignore', '.landfall', 'site.yaml']);
    expect((await readSite(join(folder, 'mine/site.yaml'))).release).toEqual(urls);
    const out = terminal.out();
    expect(out).toContain('release         landfall 1.2.0, published and signed by its project');
    expect(out).toContain(`key id          ${formatKeyId(releaseKey.public.id)}`);
    expect(out).toContain('compare it with https://keys.example.org/landfall');
    expect(out).toMatch(/Next, in this order:\n\n {2}cd mine\n {2}landfall user-data /);
    expect(out).not.toMatch(/keygen|build|upload/);
  });

  it('prints the release as JSON', async () => {
    const terminal = terminalIn(folder);
    await init(terminal, ...ssh, '--json');
    expect(JSON.parse(terminal.out())).toMatchObject({
      files: ['site.yaml', '.landfall/site.schema.json', '.gitignore'],
      release: { product: 'landfall', version: '1.2.0', keyId: releaseKey.public.id },
    });
  });

  it.each([
    ['--release-url', 'https://own.example.org/'],
    ['--own-release', '--release-url', 'https://own.example.org/'],
  ])('prepares a release of the user with %s', async (...flags) => {
    const terminal = terminalIn(folder);
    await init(terminal, ...ssh, ...flags);
    expect(await files()).toEqual(ownFiles);
    expect((await readSite(join(folder, 'mine/site.yaml'))).release).toEqual([
      'https://own.example.org/',
    ]);
    expect(terminal.out()).toMatch(/landfall keygen.*landfall build/s);
    expect(terminal.out()).not.toContain('so the steps below build');
  });

  it('requires the URL of a release of the user', async () => {
    await expect(init(terminalIn(folder), ...ssh, '--own-release')).rejects.toMatchObject({
      code: 'USAGE',
      message: 'missing flags: --release-url',
    });
  });

  it('stops before it asks if the facts of the package are not valid', async () => {
    await writeFile(join(folder, 'facts.json'), '{"schema":1}');
    const person = personAt(folder, []);
    await expect(init(person, ...ssh)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    expect(person.err()).toBe('');
  });
});

describe('landfall init without a published release', () => {
  it('says in one line that the release must be built', async () => {
    const person = personAt(folder, [
      ['How large is the server', ''],
      ['Which processor does the server have', ''],
      ['How does the server get the release', ''],
      ['URL of the folder that will contain', 'downloads.example.com/r/'],
      ['Email address', ''],
      ['How does the server reach the internet?', ''],
      ['Does the server need mirrors', ''],
      ['Time zone of the server', ''],
      ['Hosted providers', ''],
    ]);
    await runCommand(initCommand, person, 'mine', ...ssh, '--ui-host', '', '--tls', 'internal');
    expect(person.out()).toContain(
      '\nThis is a checkout, so the steps below build your own release.\n',
    );
  });
});

describe('landfall init on a terminal, in a package with a release', () => {
  const rest: ReadonlyArray<readonly [string, string]> = [
    ['Host name of the chat UI', ''],
    ['Which TLS certificate', ''],
    ['Email address', ''],
    ['How does the server reach the internet?', ''],
    ['Does the server need mirrors', ''],
    ['Time zone of the server', ''],
    ['Hosted providers', ''],
  ];

  beforeEach(async () => {
    await mkdir(join(folder, '.ssh'));
    await writeFile(join(folder, '.ssh/id.pub'), `${key}\n`);
  });

  it('offers the release first', async () => {
    const person = personAt(folder, [
      ['Which release should the server install?', ''],
      ['Which SSH keys may log in', ''],
      ...rest,
    ]);
    await init(person);
    expect(person.unasked()).toEqual([]);
    expect(await files()).toEqual(['.gitignore', '.landfall', 'site.yaml']);
  });

  it('asks for a URL if the user prefers an own release', async () => {
    const person = personAt(folder, [
      ['Which release should the server install?', '\u001b[B'],
      ['How large is the server', ''],
      ['Which processor does the server have', ''],
      ['How does the server get the release', ''],
      ['URL of the folder that will contain', 'own.example.org/'],
      ['Which SSH keys may log in', ''],
      ...rest,
    ]);
    await init(person);
    expect(person.unasked()).toEqual([]);
    expect(await files()).toEqual(ownFiles);
  });
});
