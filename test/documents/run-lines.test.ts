import { chmod, copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { beforeAll, describe, expect, it } from 'vitest';
import { publicKeyPem } from '#contract/trust/keys.ts';
import { landfall } from '../pty/terminal.ts';
import { makeBundle } from '../simulator/bundle.ts';
import { releaseKey } from '../simulator/keys.ts';
import { workFolder } from '../simulator/work-folder.ts';
import { blockLinesOf, pages } from './command-lines.ts';

/** Lines that need only a release, its key and a lock file. */
const offline =
  /^(?:landfall (?:verify|inspect|diff) |tar -x.*landfall-|openssl dgst .*release\.json$|sha256sum --check )/;
const lines = pages().flatMap((page) =>
  blockLinesOf(page)
    .map((line) => line.trim())
    .filter((line) => offline.test(line))
    .map((line) => ({ page, line })),
);

const folder = await workFolder();
const programs = join(folder, 'bin');

beforeAll(async () => {
  await mkdir(join(folder, 'dist'));
  await mkdir(programs);
  const quoted = landfall.map((word) => `'${word}'`).join(' ');
  await writeFile(join(programs, 'landfall'), `#!/bin/sh\nexec ${quoted} "$@"\n`);
  await chmod(join(programs, 'landfall'), 0o755);
  // As a file of a publisher, and as the user's own from `landfall keygen`.
  const keys = join(folder, '.config/landfall/keys');
  await mkdir(keys, { recursive: true });
  for (const path of [folder, keys])
    await writeFile(join(path, 'release.pub'), publicKeyPem(releaseKey.public));
  const lock = fileURLToPath(new URL('../../builder/inputs/appliance.lock.yaml', import.meta.url));
  for (const name of ['old.lock.yaml', 'appliance.lock.yaml'])
    await copyFile(lock, join(folder, name));
  for (const version of ['0.1.0', '0.2.0', '1.0.0', '1.1.0']) await writeRelease(version);
});

/** Writes a bundle and its manifest under the names that the documents use. */
async function writeRelease(version: string): Promise<void> {
  let manifest: Buffer = Buffer.alloc(0);
  const bundle = makeBundle({
    files: ['NOTICE', 'sbom.cdx.json'].map((path) => ({
      path,
      content: Buffer.from(`{"components":[]}`),
    })),
    release: (release) => ({
      ...release,
      version,
      expires: '2099-01-01T00:00:00Z',
      keys: { ...release.keys, release: release.keys.release.slice(0, 1), recovery: null },
    }),
    manifest: (bytes) => {
      manifest = bytes;
      return bytes;
    },
  });
  const name = `landfall-${version}-amd64`;
  for (const path of [name, `dist/${name}`]) await writeFile(join(folder, `${path}.tar`), bundle);
  await writeFile(join(folder, `${name}.release.json`), manifest);
}

describe('the documented commands for a release', () => {
  it('runs those of a first release and of other pages', () => {
    const ofRelease = ['docs/start/own-release.md', 'docs/release/verification.md'];
    expect(lines.filter(({ page }) => ofRelease.includes(page))).toHaveLength(4);
    expect(lines.length).toBeGreaterThan(15);
  });

  it.each(lines)('succeeds on a release: $line ($page)', async ({ line }) => {
    const { exitCode, all } = await execa('sh', ['-c', line.replace(/\| less$/, '| cat')], {
      cwd: folder,
      env: { PATH: `${programs}:${process.env.PATH}`, HOME: folder },
      all: true,
      reject: false,
    });
    expect({ exitCode, all }).toMatchObject({ exitCode: 0 });
  });
});
