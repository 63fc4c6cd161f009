import { createPublicKey, type KeyObject } from 'node:crypto';
import { sha256Hex } from './digest.ts';
import { LandfallError } from './errors.ts';

/** A public key that may sign releases: ECDSA on P-256, the one kind that every openssl checks. */
export interface PublicKey {
  readonly key: KeyObject;
  /** SHA-256 of the DER SubjectPublicKeyInfo, 64 hex digits. */
  readonly id: string;
  /** The DER SubjectPublicKeyInfo in base64, as `release.json` writes it. */
  readonly spki: string;
}

/**
 * Reads a public key in PEM, or the bare base64 of its DER.
 * @throws LandfallError KEY_FORMAT when it is no public key, KEY_KIND when it is of another kind.
 */
export function readPublicKey(text: string): PublicKey {
  let key: KeyObject;
  try {
    key = text.includes('-----BEGIN')
      ? createPublicKey(text)
      : createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
  } catch (cause) {
    throw new LandfallError('KEY_FORMAT', 'this is not a public key in PEM form', {
      hint: 'Give the .pub file that `landfall keygen` wrote.',
      cause,
    });
  }
  assertP256(key);
  const der = key.export({ format: 'der', type: 'spki' });
  return { key, id: sha256Hex(der), spki: der.toString('base64') };
}

/**
 * Checks that a key, public or private, is ECDSA on P-256.
 * @throws LandfallError KEY_KIND.
 */
export function assertP256(key: KeyObject): void {
  const curve = key.asymmetricKeyDetails?.namedCurve;
  if (key.asymmetricKeyType === 'ec' && curve === 'prime256v1') return;
  const kind = [key.asymmetricKeyType, curve].filter(Boolean).join(' ');
  throw new LandfallError('KEY_KIND', `the key is ${kind}, not ECDSA on P-256`, {
    hint: 'Make one with `landfall keygen`: P-256 is what every openssl since 1.1 can check.',
  });
}

/** A key id as people compare it by eye: the first 128 bits, in groups of four digits. */
export function formatKeyId(id: string): string {
  return (id.slice(0, 32).match(/.{4}/g) ?? []).join(' ');
}

/** The public key in PEM, for openssl and cosign. */
export function publicKeyPem(key: PublicKey): string {
  return key.key.export({ format: 'pem', type: 'spki' }).toString();
}
