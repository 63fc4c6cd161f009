import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatKeyId, readPublicKey } from '#contract/trust/keys.ts';
import { keygenCommand } from '../../../builder/commands/keygen.ts';
import { runCommand, terminalIn } from './terminal.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-keygen-'));
});
afterEach(() => rm(folder, { recursive: true }));

const here = ['--output', 'release'];
const modeOf = async (path: string) => (await stat(join(folder, path))).mode & 0o777;

describe('landfall keygen', () => {
  it('writes a private key readable only by the user, and a world-readable public key', async () => {
    await runCommand(keygenCommand, terminalIn(folder), ...here);
    expect(await modeOf('release.key')).toBe(0o600);
    expect(await modeOf('release.pub')).toBe(0o644);
  });

  it('prints the key ID for comparison', async () => {
    const terminal = terminalIn(folder);
    await runCommand(keygenCommand, terminal, '--output', 'ci');
    const { id } = readPublicKey(await readFile(join(folder, 'ci.pub'), 'utf8'));
    expect(terminal.out()).toContain(formatKeyId(id));
  });

  it('says to copy the key, and how to make the way back', async () => {
    const terminal = terminalIn(folder, { XDG_CONFIG_HOME: folder });
    await runCommand(keygenCommand, terminal);
    expect(terminal.out()).toMatch(
      /Copy the private key to a second place now[\s\S]*--name recovery/,
    );
    const recovery = terminalIn(folder, { XDG_CONFIG_HOME: folder });
    await runCommand(keygenCommand, recovery, '--name', 'recovery');
    expect(recovery.out()).toContain('off this computer');
  });

  it('never prints the private key', async () => {
    const terminal = terminalIn(folder);
    await runCommand(keygenCommand, terminal, ...here, '--json');
    const secret = (await readFile(join(folder, 'release.key'), 'utf8')).split('\n')[1] ?? '';
    expect(terminal.out() + terminal.err()).not.toContain(secret);
  });

  it('creates keys that openssl accepts', async () => {
    await runCommand(keygenCommand, terminalIn(folder), ...here);
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
    await runCommand(keygenCommand, terminal, ...here, '--passphrase');
    const pem = await readFile(join(folder, 'release.key'), 'utf8');
    expect(pem).toMatch(/^-----BEGIN ENCRYPTED PRIVATE KEY-----/);
  });

  it('fails if --passphrase is set but no passphrase can be read', async () => {
    await expect(
      runCommand(keygenCommand, terminalIn(folder), ...here, '--passphrase'),
    ).rejects.toMatchObject({
      code: 'KEY_PASSPHRASE',
    });
    expect(await readdir(folder)).toEqual([]);
  });

  it.each(['release.key', 'release.pub'])('never overwrites an existing %s', async (name) => {
    await writeFile(join(folder, name), 'precious');
    await expect(runCommand(keygenCommand, terminalIn(folder), ...here)).rejects.toMatchObject({
      code: 'KEY_EXISTS',
      hint: expect.stringContaining('Use this key for all your releases and skip this step'),
    });
    expect(await readdir(folder)).toEqual([name]);
    expect(await readFile(join(folder, name), 'utf8')).toBe('precious');
  });
});

describe('the folder of keys', () => {
  it('creates the folder of keys outside of every project, readable only by the user', async () => {
    await runCommand(keygenCommand, terminalIn(folder));
    expect(await readdir(folder)).toEqual(['.config']);
    expect(await modeOf('.config/landfall/keys')).toBe(0o700);
    expect(await modeOf('.config/landfall/keys/release.key')).toBe(0o600);
    expect(await modeOf('.config/landfall/keys/release.pub')).toBe(0o644);
  });

  it('follows the XDG base directory specification', async () => {
    const env = { XDG_CONFIG_HOME: join(folder, 'settings') };
    const terminal = terminalIn(folder, env);
    await runCommand(keygenCommand, terminal, '--name', 'recovery', '--json');
    const path = join(folder, 'settings/landfall/keys/recovery');
    expect(JSON.parse(terminal.out())).toMatchObject({
      privateKey: `${path}.key`,
      publicKey: `${path}.pub`,
      warnings: [],
    });
  });

  it('cannot be left with a key name', async () => {
    for (const name of ['../publish/release', '/tmp/release', '.', '-x', '']) {
      const named = runCommand(keygenCommand, terminalIn(folder), `--name=${name}`);
      await expect(named).rejects.toMatchObject({ code: 'USAGE' });
    }
    expect(await readdir(folder)).toEqual([]);
  });

  it('excludes the folder of keys from git, because users may keep their settings in git', async () => {
    await runCommand(keygenCommand, terminalIn(folder));
    const text = await readFile(join(folder, '.config/landfall/keys/.gitignore'), 'utf8');
    expect(text).toBe('*.key\n');
  });

  it('creates the folder of keys if it does not exist', async () => {
    await runCommand(keygenCommand, terminalIn(folder), '--output', 'a/b/release');
    expect(await readdir(join(folder, 'a/b'))).toEqual(['release.key', 'release.pub']);
  });
});

describe('a key in a git work tree', () => {
  beforeEach(async () => {
    await mkdir(join(folder, '.git'));
    await mkdir(join(folder, 'my-server'));
  });

  it('excludes a key in a git work tree from git, with a warning', async () => {
    await writeFile(join(folder, 'my-server/.gitignore'), '/dist/');
    const terminal = terminalIn(folder);
    await runCommand(keygenCommand, terminal, '--output', 'my-server/release');
    expect(await readFile(join(folder, 'my-server/.gitignore'), 'utf8')).toBe('/dist/\n*.key\n');
    expect(terminal.err()).toMatch(
      /^warning: .*release\.key is in the git work tree .*\.gitignore/,
    );
    expect(terminal.err()).toBe('');
  });

  it('causes a warning in JSON too', async () => {
    const terminal = terminalIn(folder);
    await runCommand(keygenCommand, terminal, '--output', 'release', '--json');
    expect(JSON.parse(terminal.out()).warnings).toEqual([
      expect.stringContaining(`git work tree ${folder}`),
    ]);
  });
});
