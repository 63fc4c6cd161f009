import { generateKeyPairSync } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { generateKey } from '../../../../builder/bundle/sign/generate-key.ts';
import { passphraseVariable } from '../../../../builder/bundle/sign/passphrase-variable.ts';
import { type KeyInputs, readSigningKey } from '../../../../builder/bundle/sign/private-key.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-key-'));
});
afterEach(() => rm(folder, { recursive: true }));

const nonInteractive: KeyInputs = { env: {}, stdin: Readable.from([]) };
const pair = generateKey(undefined);
const locked = generateKey('open sesame');

async function keyFile(pem: string, mode = 0o600): Promise<string> {
  const path = join(folder, 'release.key');
  await writeFile(path, pem);
  await chmod(path, mode);
  return path;
}

describe('a private key', () => {
  it('reads a private key from a file that only its user can read', async () => {
    const key = await readSigningKey(await keyFile(pair.privatePem), nonInteractive);
    expect(key.public.id).toBe(pair.public.id);
  });

  it('reads a private key from an environment variable', async () => {
    const env = { RELEASE_KEY: pair.privatePem };
    const key = await readSigningKey('env:RELEASE_KEY', { ...nonInteractive, env });
    expect(key.public.id).toBe(pair.public.id);
  });

  it('reads a private key from standard input', async () => {
    const stdin = Readable.from([pair.privatePem]);
    const key = await readSigningKey('-', { env: {}, stdin });
    expect(key.public.id).toBe(pair.public.id);
  });

  it.each([0o640, 0o604, 0o660, 0o644])(
    'rejects a private key in a file of mode %o',
    async (mode) => {
      const path = await keyFile(pair.privatePem, mode);
      await expect(readSigningKey(path, nonInteractive)).rejects.toMatchObject({
        code: 'KEY_EXPOSED',
        hint: expect.stringContaining('chmod 600'),
      });
    },
  );

  it('reports a missing file of a private key', async () => {
    await expect(readSigningKey(join(folder, 'none.key'), nonInteractive)).rejects.toMatchObject({
      code: 'KEY_MISSING',
      hint: expect.stringContaining('landfall keygen'),
    });
  });

  it('reports an empty variable of a private key', async () => {
    await expect(readSigningKey('env:NOTHING', nonInteractive)).rejects.toMatchObject({
      code: 'KEY_MISSING',
      message: expect.stringContaining('NOTHING'),
    });
  });
});

describe('an encrypted key', () => {
  it('decrypts a key with the passphrase from the environment', async () => {
    const env = { [passphraseVariable]: 'open sesame' };
    const key = await readSigningKey(await keyFile(locked.privatePem), { ...nonInteractive, env });
    expect(key.public.id).toBe(locked.public.id);
  });

  it('decrypts a key with the passphrase from the prompt', async () => {
    const askPassphrase = async () => 'open sesame';
    const key = await readSigningKey(await keyFile(locked.privatePem), {
      ...nonInteractive,
      askPassphrase,
    });
    expect(key.public.id).toBe(locked.public.id);
  });

  it('names the passphrase variable for an encrypted key without a terminal', async () => {
    await expect(
      readSigningKey(await keyFile(locked.privatePem), nonInteractive),
    ).rejects.toMatchObject({
      code: 'KEY_ENCRYPTED',
      hint: expect.stringContaining(passphraseVariable),
    });
  });

  it('rejects a wrong passphrase of an encrypted key without printing it', async () => {
    const env = { [passphraseVariable]: 'hunter2-wrong' };
    const error = await readSigningKey(await keyFile(locked.privatePem), {
      ...nonInteractive,
      env,
    }).then(
      () => expect.unreachable('it opened'),
      (reason: Error) => reason,
    );
    expect(error).toMatchObject({ code: 'KEY_PASSPHRASE' });
    expect(JSON.stringify([error.message, error, error.cause])).not.toContain('hunter2-wrong');
  });
});

describe('a key of another type', () => {
  const pem = (key: { export(options: object): unknown }) =>
    String(key.export({ format: 'pem', type: 'pkcs8' }));
  it.each([
    ['ed25519', () => pem(generateKeyPairSync('ed25519').privateKey)],
    ['rsa', () => pem(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey)],
    ['ec secp384r1', () => pem(generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey)],
  ])('rejects a key of another type, and names the type: %s', async (name, make) => {
    await expect(readSigningKey(await keyFile(make()), nonInteractive)).rejects.toMatchObject({
      code: 'KEY_KIND',
      message: expect.stringContaining(name),
    });
  });

  it.each([
    ['a public key', pair.publicPem],
    ['an empty file', ''],
    ['other text', 'this is my key, honest'],
    ['a truncated key', pair.privatePem.slice(0, 100)],
  ])('rejects %s as a private key', async (_name, text) => {
    await expect(readSigningKey(await keyFile(text), nonInteractive)).rejects.toMatchObject({
      code: 'KEY_FORMAT',
    });
  });
});
