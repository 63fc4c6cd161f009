import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { sbom } from '#contract/bundle/bundle-paths.ts';
import type { Release } from '#contract/bundle/release.ts';
import { digestOf } from '#contract/trust/digest.ts';
import { formatKeyId, publicKeyPem } from '#contract/trust/keys.ts';
import { diffCommand } from '../../../builder/commands/diff.ts';
import { lockFileText } from '../../../builder/inputs/lock/lock-file.ts';
import { makeBundle } from '../../simulator/bundle.ts';
import { headOf } from '../../simulator/head-of.ts';
import { releaseKey, secondKey, strangerKey } from '../../simulator/keys.ts';
import { workFolder } from '../../simulator/work-folder.ts';
import { lockFor, someAppliance } from '../inputs/lock/fixture.ts';
import { runCommand, terminalIn } from './terminal.ts';

const image = {
  component: 'engine',
  reference: 'ollama/ollama:1',
  index: digestOf('one'),
  manifest: digestOf('one manifest'),
  config: null,
  size: 1_000_000,
  optional: false,
};

const sbomWith = (version: string) =>
  JSON.stringify({
    bomFormat: 'CycloneDX',
    components: [{ type: 'library', name: 'zod', version, purl: `pkg:npm/zod@${version}` }],
  });

/** A bundle with a package and a file of the stack. */
function bundle(zod: string, compose: string, change: Partial<Release>): Buffer {
  return makeBundle({
    files: [
      { path: sbom, content: Buffer.from(sbomWith(zod)) },
      { path: 'compose/compose.yaml', content: Buffer.from(compose) },
      { path: 'runtime/node.tgz', content: Buffer.alloc(100_000) },
    ],
    release: (release) => ({ ...release, models: [], updatesFrom: null, ...change }),
  });
}

let folder: string;
beforeAll(async () => {
  folder = await workFolder();
  const one = bundle('4.0.0', 'name: one\n', { version: '1.0.0', images: [image] });
  const newer = { ...image, reference: 'ollama/ollama:2', index: digestOf('two'), manifest: null };
  const two = bundle('4.1.0', 'name: two\n', { version: '1.1.0', images: [newer] });
  const keys = { release: [strangerKey.public.spki], recovery: null };
  const other = bundle('4.1.0', 'name: two\n', { version: '1.2.0', keys });
  for (const [name, content] of Object.entries({ one, two, other })) {
    await writeFile(join(folder, `${name}.tar`), content);
    await writeFile(join(folder, `${name}.json`), headOf(content).get('release.json') ?? '');
  }
  for (const [name, key] of Object.entries({ releaseKey, secondKey, strangerKey })) {
    await writeFile(join(folder, `${name}.pub`), publicKeyPem(key.public));
  }
  const lock = lockFor(someAppliance({}));
  await writeFile(join(folder, 'one.yaml'), lockFileText(lock));
  Object.assign(lock.images.ui ?? {}, { image: 'team/ui:<2>', index: digestOf('ui') });
  await writeFile(join(folder, 'two.yaml'), lockFileText(lock));
});

async function diff(...args: string[]) {
  const terminal = terminalIn(folder);
  await runCommand(diffCommand, terminal, ...args);
  return { out: terminal.out(), err: terminal.err(), exitCode: terminal.exitCode() };
}

describe('landfall diff of two bundles', () => {
  it('prints components, packages, settings and the bytes of an update', async () => {
    const { out, err, exitCode } = await diff('one.tar', 'two.tar');
    expect(out).toContain('landfall 1.0.0 → 1.1.0 for amd64, thin\n');
    expect(out).toContain('Already on the server: 100 kB in 1 file.\n');
    expect(out).toContain('The server pulls at most 1.0 MB in 1 changed image.\n');
    expect(out).toMatch(/~ {2}engine {2}image +ollama\/ollama:1 +→ {2}ollama\/ollama:2\n/);
    expect(out).toMatch(/packages\n {2}~ {2}zod {2}4\.0\.0 {2}→ {2}4\.1\.0\n/);
    expect(out).toMatch(/settings\n {2}~ {2}compose\/compose\.yaml {2}10 B, SHA-256 /);
    expect(out).not.toContain('-name: one');
    expect(out).toContain('\nSignatures are not verified.\n');
    expect({ err, exitCode }).toEqual({ err: '', exitCode: 0 });
  });

  it('prints Markdown', async () => {
    const { out } = await diff('one.tar', 'two.tar', '--markdown');
    expect(out).toContain('### landfall 1.0.0 → 1.1.0 for amd64, thin\n');
    expect(out).toContain('| changed | `zod` | `4.0.0` | `4.1.0` |\n');
  });

  it('prints one JSON object', async () => {
    const { out } = await diff('one.tar', 'two.tar', '--json');
    expect(JSON.parse(out)).toMatchObject({
      type: 'releases',
      different: true,
      before: { name: 'one.tar', version: '1.0.0', verified: false },
      after: { name: 'two.tar', version: '1.1.0', verified: false },
      update: { obstacle: null, images: { items: 1, bytes: 1_000_000, unsized: 0 } },
      packages: [{ name: 'zod', before: ['4.0.0'], after: ['4.1.0'] }],
      warnings: [],
    });
    expect(out.match(/\n/g)).toHaveLength(1);
  });

  it('says that no direct update is possible to an older release', async () => {
    expect((await diff('two.tar', 'one.tar')).out).toContain(
      'No update is possible: 1.0.0 is older than 1.1.0.\n',
    );
  });
});

describe('landfall diff of two release.json files', () => {
  it('says that packages cannot be compared', async () => {
    const { out } = await diff('one.json', 'two.json');
    expect(out).toContain('Packages cannot be compared');
    expect(out).toContain('compose/compose.yaml');
    expect(out).not.toContain('zod');
  });

  it('prints no differences between a release.json file and its bundle', async () => {
    const { out, exitCode } = await diff('one.json', 'one.tar', '--exit-code');
    expect(out).toContain('No differences.\n');
    expect(exitCode).toBe(0);
  });
});

describe('landfall diff of two lock files', () => {
  it('prints tags and digests', async () => {
    const { out } = await diff('one.yaml', 'two.yaml');
    expect(out).toContain('Lock file of 2026-01-02\n');
    expect(out).toMatch(
      /~ {2}ui {2}image +ghcr\.io\/open-webui\/open-webui:main +→ {2}team\/ui:<2>/,
    );
  });

  it('prints Markdown without HTML of a name', async () => {
    expect((await diff('one.yaml', 'two.yaml', '--markdown')).out).toContain('`team/ui:<2>`');
  });

  it('cannot be mixed with a release', async () => {
    await expect(diff('one.yaml', 'two.tar')).rejects.toMatchObject({ code: 'USAGE' });
  });
});

describe('landfall diff --exit-code', () => {
  it.each([
    ['one.tar', 'one.tar', 0],
    ['one.tar', 'two.tar', 1],
    ['one.yaml', 'one.yaml', 0],
    ['one.yaml', 'two.yaml', 1],
  ])('compares %s with %s and exits with %i', async (before, after, code) => {
    expect((await diff(before, after, '--exit-code')).exitCode).toBe(code);
    expect((await diff(before, after)).exitCode).toBe(0);
  });
});

describe('landfall diff --key', () => {
  it('verifies both releases and names the signer', async () => {
    const { out, err } = await diff('one.tar', 'two.tar', '--key', 'releaseKey.pub', '--json');
    expect(err).toBe('');
    expect(JSON.parse(out)).toMatchObject({
      before: { verified: true, signer: { keyId: releaseKey.public.id, role: 'release' } },
      after: { verified: true },
    });
    const { out: text } = await diff('one.tar', 'two.tar', '--key', 'releaseKey.pub');
    const id = formatKeyId(releaseKey.public.id);
    expect(text).toContain(`\nBoth releases are signed by ${id} (release key).\n`);
  });

  it('rejects a release that is not signed by a given key', async () => {
    await expect(diff('one.tar', 'two.tar', '--key', 'secondKey.pub')).rejects.toMatchObject({
      code: 'BUNDLE_UNTRUSTED',
    });
  });

  it('warns about a release that announces a key that is not given', async () => {
    const keys = ['--key', 'releaseKey.pub'];
    const { out, err } = await diff('two.tar', 'other.tar', ...keys);
    const stranger = formatKeyId(strangerKey.public.id);
    expect(err).toContain(`other.tar announces keys that are not given: ${stranger}\n`);
    expect(out).toContain(`→  ${stranger}`);
    const given = await diff('other.tar', 'other.tar', ...keys, '--key', 'strangerKey.pub');
    expect(given.err).toBe('');
  });
});
