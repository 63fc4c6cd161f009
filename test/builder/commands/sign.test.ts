import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatKeyId } from '#contract/trust/keys.ts';
import { signCommand } from '../../../builder/commands/sign.ts';
import { makeBundle } from '../../simulator/bundle.ts';
import { headOf } from '../../simulator/head-of.ts';
import { releaseKey } from '../../simulator/keys.ts';
import { testKey } from '../bundle/archive/fixture.ts';
import { runCommand, terminalIn } from './terminal.ts';

const recovery = testKey();
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-sign-'));
  const pem = recovery.key.export({ format: 'pem', type: 'pkcs8' });
  await writeFile(join(folder, 'recovery.key'), pem, { mode: 0o600 });
  await write(recovery.public.spki);
});
afterEach(() => rm(folder, { recursive: true }));

async function write(announced: string | null): Promise<void> {
  const bundle = makeBundle({
    release: (release) => ({
      ...release,
      keys: { release: [releaseKey.public.spki], recovery: announced },
    }),
  });
  await writeFile(join(folder, 'bundle.tar'), bundle);
}

async function sign(...args: string[]) {
  const terminal = terminalIn(folder);
  await runCommand(signCommand, terminal, 'bundle.tar', '--key', 'recovery.key', ...args);
  return { out: terminal.out(), err: terminal.err() };
}

describe('landfall sign', () => {
  it('prints the new and the previous signer', async () => {
    const { out, err } = await sign();
    expect(out).toContain('signed: landfall');
    expect(out).toContain(`${formatKeyId(recovery.public.id)}  (recovery key)`);
    expect(out).toMatch(new RegExp(`before +${formatKeyId(releaseKey.public.id)}`));
    expect(out).toMatch(/release\.json +[0-9a-f]{64}, unchanged/);
    expect(err).toBe('');
  });

  it('prints one JSON object with --json, and nothing with --quiet', async () => {
    expect(JSON.parse((await sign('--json')).out)).toMatchObject({
      path: 'bundle.tar',
      signer: { keyId: recovery.public.id, role: 'recovery' },
      before: releaseKey.public.id,
      warnings: [],
    });
    expect(await sign('--quiet')).toEqual({ out: '', err: '' });
  });

  it('warns if the release does not announce the key', async () => {
    await write(null);
    expect((await sign()).err).toContain('the release does not announce this key');
    const { warnings, signer } = JSON.parse((await sign('--json')).out);
    expect(warnings).toHaveLength(1);
    expect(signer.role).toBeNull();
  });

  it('replaces the published signatures beside the bundle, but creates none', async () => {
    await writeFile(join(folder, 'bundle.release.json.sig'), 'old');
    await sign();
    const head = headOf(await readFile(join(folder, 'bundle.tar')));
    const beside = await readFile(join(folder, 'bundle.release.json.sig'));
    expect(beside.equals(head.get('release.json.sig') ?? Buffer.alloc(0))).toBe(true);
    await expect(readFile(join(folder, 'bundle.release.sigstore.json'))).rejects.toThrow('ENOENT');
  });

  it('needs a key', async () => {
    const terminal = terminalIn(folder);
    await expect(runCommand(signCommand, terminal, 'bundle.tar')).rejects.toThrow('--key');
    await expect(
      runCommand(signCommand, terminal, 'bundle.tar', '--key', 'missing.key'),
    ).rejects.toMatchObject({ code: 'KEY_MISSING' });
  });
});
