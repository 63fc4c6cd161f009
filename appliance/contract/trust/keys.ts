import { LandfallError } from '../errors.ts';
import { fromBase64, toBase64 } from '../text/base64.ts';
import { sha256Hex } from './digest.ts';
import { readSpki, type Spki } from './spki.ts';

/** A public key that may sign releases: ECDSA on P-256, the one kind that every openssl checks. */
export interface PublicKey {
  /** The DER SubjectPublicKeyInfo in its usual spelling, 91 bytes. */
  readonly der: Uint8Array;
  /** Its SHA-256, 64 hex digits. */
  readonly id: string;
  /** The same in base64, as `release.json` writes it. */
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
  const { der, kind } = decodePublicKey(text.trim());
  if (kind !== undefined) throw wrongKind(kind);
  return { der, id: sha256Hex(der), spki: toBase64(der) };
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
  const bytes = spkiPattern.test(text) ? fromBase64(text) : undefined;
  return bytes !== undefined && readSpki(bytes)?.der !== undefined;
}

function decodePublicKey(text: string): Spki {
  if (text.length <= maxPemLength && /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) {
    throw new LandfallError('KEY_FORMAT', 'this is a private key, where a public one belongs', {
      hint: 'Give the .pub file beside it, and keep the private key to yourself.',
    });
  }
  const base64 = text.length <= maxPemLength ? (pemPattern.exec(text)?.[1] ?? text) : '';
  const compact = base64.replaceAll(/[\r\n]/g, '');
  const bytes = base64Pattern.test(compact) ? fromBase64(compact) : undefined;
  const key = bytes && readSpki(bytes);
  if (key) return key;
  throw new LandfallError('KEY_FORMAT', 'this is not a public key in PEM form', {
    hint: 'Give the .pub file that `landfall keygen` wrote.',
  });
}

/** Returns the error for a key, public or private, that is not ECDSA on P-256. */
export function wrongKind(kind: string): LandfallError {
  return new LandfallError('KEY_KIND', `the key is ${kind}, not ECDSA on P-256`, {
    hint: 'Make one with `landfall keygen`: P-256 is what every openssl since 1.1 can check.',
  });
}

/** A key id as people compare it by eye: the first 128 bits, in groups of four digits. */
export function formatKeyId(id: string): string {
  return (id.slice(0, 32).match(/.{4}/g) ?? []).join(' ');
}

/** The public key in PEM, for openssl and cosign. */
export function publicKeyPem(key: PublicKey): string {
  const lines = key.spki.match(/.{1,64}/g) ?? [];
  return ['-----BEGIN PUBLIC KEY-----', ...lines, '-----END PUBLIC KEY-----', ''].join('\n');
}
