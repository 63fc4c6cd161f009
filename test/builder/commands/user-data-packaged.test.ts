import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatKeyId, publicKeyPem } from '#contract/trust/keys.ts';
import { userDataCommand } from '../../../builder/commands/user-data.ts';
import { status } from '../../faulty-server/faults.ts';
import { FaultyServer } from '../../faulty-server/faulty-server.ts';
import { releaseKey, strangerKey } from '../../simulator/keys.ts';
import { folderWith, packagedAt } from '../deliver/packaged/rig.ts';
import { runCommand, terminalIn } from './terminal.ts';

let folder: string;
let server: FaultyServer;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-user-data-'));
  server = await FaultyServer.start(folderWith());
  await write('facts.json', JSON.stringify(packagedAt(server.url('/r/').href)));
  await write('site.yaml', siteFor(server.url('/r/').href));
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const siteFor = (url: string) => `release: [${url}]
admin:
  ssh_keys:
    - ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOfVscOQjj0xpAv9TsSsXHMgaePCX3vFCzV9Y1yHldL8 me@laptop
`;
const write = (path: string, content: string) => writeFile(join(folder, path), content);

async function run(...args: string[]): Promise<string> {
  const terminal = terminalIn(folder);
  const context = { ...terminal.context, packagedRelease: join(folder, 'facts.json') };
  await runCommand(userDataCommand, { ...terminal, context }, ...args);
  return terminal.out();
}

describe('user-data in a package with a release', () => {
  it('renders user-data from the packaged release, and shows the key to compare', async () => {
    const out = await run();
    expect(out).toContain('release    landfall 1.2.0 for amd64 and arm64');
    expect(out).toContain(`trusts     ${formatKeyId(releaseKey.public.id)}  (release key)`);
    expect(out).toContain('compare    these key ids with https://keys.example.org/landfall');
    expect(out).toContain(`downloads  ${server.url('/r/landfall-1.2.0-arm64.tar').href}`);
    expect(out).not.toContain('upload');
    const text = await readFile(join(folder, 'user-data.yaml'), 'utf8');
    expect(text).toContain(` release key  ${formatKeyId(releaseKey.public.id)}`);
  });

  it('names a second source if the package has no page of keys', async () => {
    const { keyPage: _, ...facts } = packagedAt(server.url('/r/').href);
    await write('facts.json', JSON.stringify(facts));
    expect(await run()).toContain('compare    these key ids with a second source of the project');
  });

  it('rejects a packaged release if another key signed it, and writes nothing', async () => {
    server.answer(folderWith({}, strangerKey));
    await expect(run()).rejects.toMatchObject({ code: 'BUNDLE_UNTRUSTED' });
    expect(await readdir(folder)).not.toContain('user-data.yaml');
  });

  it('verifies a packaged release with the key of an option instead', async () => {
    await write('other.pub', publicKeyPem(strangerKey.public));
    await expect(run('--key', 'other.pub')).rejects.toMatchObject({ code: 'BUNDLE_UNTRUSTED' });
  });

  it('downloads a packaged release through the proxy of an option', async () => {
    const proxy = await FaultyServer.start(status(403));
    await write('site.yaml', siteFor('http://downloads.example.com/r/'));
    await expect(run('--proxy', proxy.origin)).rejects.toMatchObject({ code: 'USER_DATA_URL' });
    expect(proxy.seen().length).toBeGreaterThan(0);
    await proxy.close();
  });

  it('rejects a package whose facts are not valid', async () => {
    await write('facts.json', '{}');
    await expect(run()).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      hint: 'Install the package again.',
    });
  });
});
