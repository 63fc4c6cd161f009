import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { open } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { LandfallError } from '#contract/errors.ts';
import { type PublicKey, readPublicKey, wrongKind } from '#contract/trust/keys.ts';

/** A key that signs releases, with the public half that everybody may have. */
export interface SigningKey {
  readonly key: KeyObject;
  readonly public: PublicKey;
}

/** Where a private key and its passphrase may come from. Never from an argument: those are public. */
export interface KeyInputs {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: NodeJS.ReadableStream;
  /** Asks a person for the passphrase; absent where nobody can be asked. */
  readonly askPassphrase?: (() => Promise<string>) | undefined;
}

/** The variable that holds a passphrase where no person can type it. */
export const passphraseVariable = 'LANDFALL_KEY_PASSPHRASE';

/** No private key is longer than this. */
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
  throw new LandfallError('KEY_MISSING', `the environment variable ${name} holds no key`, {
    hint: 'Put the whole PEM text into it, line breaks included.',
  });
}

async function readKeyFile(path: string): Promise<string> {
  const file = await open(path, 'r').catch((cause: NodeJS.ErrnoException) => {
    const missing = cause.code === 'ENOENT';
    throw new LandfallError('KEY_MISSING', `cannot read the key file ${path}`, {
      hint: missing
        ? 'Make one with `landfall keygen`, or name yours with --key.'
        : 'Check the permissions of the file.',
      cause,
    });
  });
  try {
    const { mode } = await file.stat();
    if ((mode & 0o077) !== 0) {
      throw new LandfallError('KEY_EXPOSED', `other users may read the key file ${path}`, {
        hint: `Take their rights away with: chmod 600 ${path}. If others were on this machine, make a new key.`,
      });
    }
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maxKeyBytes), 0, maxKeyBytes, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

async function decrypt(pem: string, source: string, inputs: KeyInputs): Promise<KeyObject> {
  const encrypted = /^-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m.test(pem);
  try {
    if (!encrypted) return createPrivateKey(pem);
    return createPrivateKey({ key: pem, passphrase: await passphraseFor(source, inputs) });
  } catch (cause) {
    if (cause instanceof LandfallError) throw cause;
    // The cause stays out of these errors: OpenSSL's texts help nobody, and the key is near.
    if (encrypted) {
      throw new LandfallError('KEY_PASSPHRASE', 'the passphrase does not open the key', {
        hint: 'Type it again; there is no way to get a lost one back.',
      });
    }
    throw new LandfallError('KEY_FORMAT', `${describe(source)} is not a private key in PEM form`, {
      hint: 'Give the .key file that `landfall keygen` wrote, not the .pub file.',
    });
  }
}

async function passphraseFor(source: string, inputs: KeyInputs): Promise<string> {
  const known = inputs.env[passphraseVariable] ?? (await inputs.askPassphrase?.());
  if (known !== undefined) return known;
  throw new LandfallError('KEY_ENCRYPTED', `${describe(source)} is encrypted`, {
    hint: `Put the passphrase into the environment variable ${passphraseVariable}, or run this on a terminal to be asked.`,
  });
}

function describe(source: string): string {
  return source === '-' ? 'standard input' : source.replace(/^env:/, 'the variable ');
}
