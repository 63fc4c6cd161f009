import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { open } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { LandfallError } from '#contract/errors.ts';
import { type PublicKey, readPublicKey, wrongKind } from '#contract/trust/keys.ts';
import { passphraseVariable } from './passphrase-variable.ts';

/** A private key that signs releases, with its public key. */
export interface SigningKey {
  readonly key: KeyObject;
  readonly public: PublicKey;
}

/** Sources of a private key and its passphrase. Other processes can read arguments, so those are not. */
export interface KeyInputs {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: NodeJS.ReadableStream;
  /** Prompts the user for the passphrase; absent without a terminal. */
  readonly askPassphrase?: (() => Promise<string>) | undefined;
}

/** Maximum size of a private key file, in bytes. */
const maxKeyBytes = 16 * 1024;

/**
 * Reads a private key from a file, an environment variable (`env:NAME`) or standard input (`-`).
 * @throws LandfallError KEY_MISSING, KEY_EXPOSED, KEY_FORMAT, KEY_KIND, KEY_ENCRYPTED, KEY_PASSPHRASE
 */
export async function readSigningKey(source: string, inputs: KeyInputs): Promise<SigningKey> {
  const pem = await readPem(source, inputs);
  const key = await decrypt(pem, source, inputs);
  assertP256(key);
  const publicPem = createPublicKey(key).export({ format: 'pem', type: 'spki' }).toString();
  return { key, public: readPublicKey(publicPem) };
}

/** @throws LandfallError KEY_KIND */
function assertP256(key: KeyObject): void {
  const curve = key.asymmetricKeyDetails?.namedCurve;
  if (key.asymmetricKeyType === 'ec' && curve === 'prime256v1') return;
  throw wrongKind([key.asymmetricKeyType, curve].filter(Boolean).join(' '));
}

async function readPem(source: string, { env, stdin }: KeyInputs): Promise<string> {
  if (source === '-') return text(stdin);
  if (!source.startsWith('env:')) return readKeyFile(source);
  const name = source.slice('env:'.length);
  const pem = env[name];
  if (pem) return pem;
  throw new LandfallError('KEY_MISSING', `the environment variable ${name} is not set`, {
    hint: {
      en: 'Set it to the PEM text of the key, including line breaks.',
      zh: '把它设为密钥的 PEM 文本，包括换行。',
    },
  });
}

async function readKeyFile(path: string): Promise<string> {
  await using file = await open(path, 'r').catch((cause: NodeJS.ErrnoException) => {
    const missing = cause.code === 'ENOENT';
    throw new LandfallError('KEY_MISSING', `cannot read the key file ${path}`, {
      hint: missing
        ? 'Create a key with `landfall keygen`, or use another one with --key.'
        : 'Check the permissions of the file.',
      cause,
    });
  });
  const { mode } = await file.stat();
  if ((mode & 0o077) !== 0) {
    throw new LandfallError('KEY_EXPOSED', `other users can read the key file ${path}`, {
      hint: `Run: chmod 600 ${path}. If other users had access to this machine, create a new key.`,
    });
  }
  const { buffer, bytesRead } = await file.read(Buffer.alloc(maxKeyBytes), 0, maxKeyBytes, 0);
  return buffer.toString('utf8', 0, bytesRead);
}

async function decrypt(pem: string, source: string, inputs: KeyInputs): Promise<KeyObject> {
  const encrypted = /^-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m.test(pem);
  try {
    if (!encrypted) return createPrivateKey(pem);
    return createPrivateKey({ key: pem, passphrase: await passphraseFor(source, inputs) });
  } catch (cause) {
    if (cause instanceof LandfallError) throw cause;
    // Without `cause`: OpenSSL's messages are not useful and could contain parts of the key.
    if (encrypted) {
      throw new LandfallError('KEY_PASSPHRASE', 'the passphrase of the key is wrong', {
        hint: 'Try again; a lost passphrase cannot be recovered.',
      });
    }
    throw new LandfallError('KEY_FORMAT', `${describe(source)} is not a private key in PEM form`, {
      hint: 'Use the .key file of `landfall keygen`, not the .pub file.',
    });
  }
}

async function passphraseFor(source: string, inputs: KeyInputs): Promise<string> {
  const known = inputs.env[passphraseVariable] ?? (await inputs.askPassphrase?.());
  if (known !== undefined) return known;
  throw new LandfallError('KEY_ENCRYPTED', `${describe(source)} is encrypted`, {
    hint: `Set the environment variable ${passphraseVariable} to the passphrase, or run this on a terminal.`,
  });
}

function describe(source: string): string {
  return source === '-' ? 'standard input' : source.replace(/^env:/, 'the variable ');
}
