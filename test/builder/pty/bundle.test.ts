import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publicKeyPem } from '#contract/keys.ts';
import { landfall, runInTerminal } from '../../pty/terminal.ts';
import { makeBundle } from '../../simulator/bundle.ts';
import { releaseKey } from '../../simulator/keys.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-pty-'));
  const bundle = makeBundle({
    release: (release) => ({ ...release, expires: '2099-01-01T00:00:00Z' }),
  });
  await writeFile(join(folder, 'good.tar'), bundle);
  await writeFile(join(folder, 'bad.tar'), bundle.subarray(0, -1));
  await writeFile(join(folder, 'release.pub'), publicKeyPem(releaseKey.public));
});
afterAll(() => rm(folder, { recursive: true }));

const run = (...args: string[]) => runInTerminal([...landfall, ...args], { cwd: folder });

describe('landfall verify on a terminal', () => {
  it('ends once a bundle is verified', async () => {
    const { status, text } = await run('verify', 'good.tar', '--key', 'release.pub');
    expect(text).toContain('verified: landfall');
    expect(status).toBe(0);
  });

  it('ends once a bundle is refused', async () => {
    const { status, text } = await run('verify', 'bad.tar', '--key', 'release.pub');
    expect(text).toContain('BUNDLE_TRUNCATED');
    expect(status).toBe(6);
  });
});
