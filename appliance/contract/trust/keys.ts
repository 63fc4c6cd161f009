import { createPublicKey, type KeyObject } from 'node:crypto';
import { LandfallError } from '../errors.ts';
import { sha256Hex } from './digest.ts';

/** A public key that may sign releases: ECDSA on P-256, the one kind that every openssl checks. */
export interface PublicKey {
  readonly key: KeyObject;
  /** SHA-256 of the DER SubjectPublicKeyInfo, 64 hex digits. */
  readonly id: string;
  /** The DER SubjectPublicKeyInfo in base64, as `release.json` writes it. */
  readonly spki: string;
}

/** The keys somebody trusts: any of the release keys for releases, the recovery key for everything. */
export interface TrustedKeys {
  readonly release: readonly PublicKey[];
  readonly recovery: PublicKey | undefined;
}

/** No public key in PEM is longer, of whatever kind. */
const maxPemLength = 8192;

/** One "PUBLIC KEY" block (RFC 7468, section 13) and nothing besides. */
const pemPattern = /^-----BEGIN PUBLIC KEY-----\r?\n([A-Za-z0-9+/=\r\n]+)-----END PUBLIC KEY-----$/;
const base64Pattern = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * Reads a public key in PEM, or the bare base64 of its DER. Whatever spelling of the point or the
 * curve the input uses, the result has the usual one, so that a key has one id.
 * @throws LandfallError KEY_FORMAT when it is no public key, KEY_KIND when it is of another kind.
 */
export function readPublicKey(text: string): PublicKey {
  const given = decodePublicKey(text.trim());
  assertP256(given);
  const key = createPublicKey({ key: given.export({ format: 'jwk' }), format: 'jwk' });
  const der = key.export({ format: 'der', type: 'spki' });
  return { key, id: sha256Hex(der), spki: der.toString('base64') };
}

/**
 * The usual spelling of a P-256 key: the curve by its name, the point with both coordinates. Of the
 * 91 bytes the first 27 are always the same (RFC 5480, section 2); the last digit has no spare bits.
 */
const spkiPattern = /^MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE[A-Za-z0-9+/]{85}[AQgw]==$/;

/**
 * Tells whether a text is a public key as `release.json` spells it: what `readPublicKey` gives as
 * `spki`, letter for letter, with a point that is on the curve. Never throws.
 */
export function isPublicKey(text: string): boolean {
  if (!spkiPattern.test(text)) return false;
  try {
    createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
    return true;
  } catch {
    return false;
  }
}

function decodePublicKey(text: string): KeyObject {
  // Node would take the public half of a private key without a word, and a certificate's as well.
  if (text.length <= maxPemLength && /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) {
    throw new LandfallError('KEY_FORMAT', 'this is a private key, where a public one belongs', {
      hint: 'Give the .pub file beside it, and keep the private key to yourself.',
    });
  }
  const base64 = text.length <= maxPemLength ? (pemPattern.exec(text)?.[1] ?? text) : '';
  const compact = base64.replaceAll(/[\r\n]/g, '');
  try {
    if (!base64Pattern.test(compact)) throw new Error('neither PEM nor base64');
    return createPublicKey({ key: Buffer.from(compact, 'base64'), format: 'der', type: 'spki' });
  } catch (cause) {
    throw new LandfallError('KEY_FORMAT', 'this is not a public key in PEM form', {
      hint: 'Give the .pub file that `landfall keygen` wrote.',
      cause,
    });
  }
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
