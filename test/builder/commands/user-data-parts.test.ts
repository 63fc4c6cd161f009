import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { publicKeyPem } from '#contract/trust/keys.ts';
import { userDataCommand } from '../../../builder/commands/user-data.ts';
import { makeBundle } from '../../simulator/bundle.ts';
import { headOf } from '../../simulator/head-of.ts';
import { recoveryKey, releaseKey, secondKey } from '../../simulator/keys.ts';
import { splitInto } from '../../simulator/split-into.ts';
import { runCommand, terminalIn } from './terminal.ts';

const siteText = `
release: [https://downloads.example.com/landfall/]
admin:
  ssh_keys:
    - ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOfVscOQjj0xpAv9TsSsXHMgaePCX3vFCzV9Y1yHldL8 me@laptop
`;
const bundleFor = (arch: 'amd64' | 'arm64') =>
  makeBundle({ release: (release) => ({ ...release, arch, expires: '2099-01-01T00:00:00Z' }) });
const amd64 = bundleFor('amd64');
const arm64 = bundleFor('arm64');
const partSize = 3_000;
const base = 'dist/landfall-1.2.0-amd64';
const partOf = (index: number) => `${base}.tar.${String(index).padStart(3, '0')}`;
const parts = splitInto(amd64, partSize);

let folder: string;
const write = (path: string, content: string | Buffer) => writeFile(join(folder, path), content);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-user-data-'));
  await mkdir(join(folder, 'dist'));
  await write('site.yaml', siteText);
  for (const [index, part] of parts.entries()) await write(partOf(index), part);
  const head = headOf(amd64);
  for (const member of ['release.json', 'release.json.sig'])
    await write(`${base}.${member}`, head.get(member) ?? '');
  await write('dist/landfall-1.2.0-arm64.tar', arm64);
  await write('dist/release.pub', publicKeyPem(releaseKey.public));
  await write('second.pub', publicKeyPem(secondKey.public));
  await write('recovery.pub', publicKeyPem(recoveryKey.public));
});
afterEach(() => rm(folder, { recursive: true }));

const trust = [
  '--key',
  'dist/release.pub',
  '--key',
  'second.pub',
  '--recovery-key',
  'recovery.pub',
];

async function run(...args: string[]) {
  const terminal = terminalIn(folder);
  await runCommand(userDataCommand, terminal, ...args, ...trust);
  const { write_files: files } = parse(await readFile(join(folder, 'user-data.yaml'), 'utf8'));
  const { content } = files.find(({ path }: { path: string }) => path.endsWith('/boot.json'));
  return { out: terminal.out(), boot: JSON.parse(content) };
}

describe('user-data for a bundle in parts', () => {
  it.each([
    ['its first part', [partOf(0)]],
    ['all parts, as by a pattern of the shell', parts.map((_, index) => partOf(index))],
    ['the name of the whole file', [`${base}.tar`]],
    ['release.json beside its parts', [`${base}.release.json`]],
  ])('contains the size of the parts, given %s', async (_what, paths) => {
    const { boot, out } = await run('--release', ...paths);
    expect(boot.parts).toEqual({ amd64: partSize });
    const url = 'https://downloads.example.com/landfall/landfall-1.2.0-amd64.tar.*';
    expect(out).toContain(`landfall-1.2.0-amd64.tar.*  to  ${url}`);
  });

  it('takes all bundles of a folder', async () => {
    const { boot } = await run('--release', 'dist');
    expect(Object.keys(boot.manifests)).toEqual(['amd64', 'arm64']);
    expect(boot.parts).toEqual({ amd64: partSize });
  });

  it('takes the size from --part-size if there is only release.json', async () => {
    for (const index of parts.keys()) await rm(join(folder, partOf(index)));
    const manifest = ['--release', `${base}.release.json`];
    expect((await run(...manifest)).boot).not.toHaveProperty('parts');
    expect((await run(...manifest, '--part-size', '2kB')).boot.parts).toEqual({ amd64: 2_000 });
    const { boot } = await run(...manifest, '--part-size', '1GB');
    expect(boot).not.toHaveProperty('parts');
  });

  it('prints the size of the parts with --json', async () => {
    const { out } = await run('--release', partOf(0), '--json');
    expect(JSON.parse(out).urls).toMatchObject([{ file: 'landfall-1.2.0-amd64.tar', partSize }]);
  });

  it.each([
    ['a missing part', () => rm(join(folder, partOf(1))), 'FILE_MISSING'],
    ['a missing last part', () => rm(join(folder, partOf(parts.length - 1))), 'BUNDLE_TRUNCATED'],
    ['a truncated last part', () => write(partOf(parts.length - 1), 'x'), 'BUNDLE_TRUNCATED'],
    [
      'parts that are too few, although the last one is smaller',
      async () => {
        await rm(join(folder, partOf(parts.length - 1)));
        await write(partOf(parts.length - 2), 'x');
      },
      'BUNDLE_TRUNCATED',
    ],
  ])('renders no user-data from %s', async (_what, change, code) => {
    await change();
    await expect(run('--release', partOf(0))).rejects.toMatchObject({ code });
  });

  it('rejects --part-size for a bundle, and a folder without bundles', async () => {
    await expect(run('--release', partOf(0), '--part-size', '2kB')).rejects.toMatchObject({
      code: 'USAGE',
    });
    await mkdir(join(folder, 'empty'));
    await expect(run('--release', 'empty')).rejects.toMatchObject({ code: 'FILE_MISSING' });
  });
});
