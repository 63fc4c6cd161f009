import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatKeyId, readPublicKey } from '#contract/keys.ts';
import { keygenCommand } from '../../../builder/commands/keygen.ts';
import { runCommand, terminalIn } from './terminal.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-keygen-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('landfall keygen', () => {
  it('writes a private key for its owner alone and a public key for all', async () => {
    await runCommand(keygenCommand, terminalIn(folder));
    expect((await stat(join(folder, 'release.key'))).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'release.pub'))).mode & 0o777).toBe(0o644);
  });

  it('prints the key id that a person can compare', async () => {
    const terminal = terminalIn(folder);
    await runCommand(keygenCommand, terminal, '--output', 'ci');
    const { id } = readPublicKey(await readFile(join(folder, 'ci.pub'), 'utf8'));
    expect(terminal.out()).toContain(formatKeyId(id));
  });

  it('never prints the private key', async () => {
    const terminal = terminalIn(folder);
    await runCommand(keygenCommand, terminal, '--json');
    const secret = (await readFile(join(folder, 'release.key'), 'utf8')).split('\n')[1] ?? '';
    expect(terminal.out() + terminal.err()).not.toContain(secret);
  });

  it('makes keys that openssl reads', async () => {
    await runCommand(keygenCommand, terminalIn(folder));
    const text = execFileSync('openssl', [
      'pkey',
      '-in',
      join(folder, 'release.key'),
      '-noout',
      '-text',
    ]);
    expect(String(text)).toContain('prime256v1');
  });

  it('encrypts with the passphrase from the environment', async () => {
    const terminal = terminalIn(folder, { LANDFALL_KEY_PASSPHRASE: 'open sesame' });
    await runCommand(keygenCommand, terminal, '--passphrase');
    const pem = await readFile(join(folder, 'release.key'), 'utf8');
    expect(pem).toMatch(/^-----BEGIN ENCRYPTED PRIVATE KEY-----/);
  });

  it('does not make an unencrypted key when a passphrase was wanted and nobody gave one', async () => {
    await expect(
      runCommand(keygenCommand, terminalIn(folder), '--passphrase'),
    ).rejects.toMatchObject({
      code: 'KEY_PASSPHRASE',
    });
    expect(await readdir(folder)).toEqual([]);
  });

  it.each(['release.key', 'release.pub'])('never writes over an existing %s', async (name) => {
    await writeFile(join(folder, name), 'precious');
    await expect(runCommand(keygenCommand, terminalIn(folder))).rejects.toMatchObject({
      code: 'KEY_EXISTS',
    });
    expect(await readdir(folder)).toEqual([name]);
    expect(await readFile(join(folder, name), 'utf8')).toBe('precious');
  });
});
