import { LandfallError } from '../errors.ts';
import { fromBase64, toBase64 } from '../text/base64.ts';
import { sha256Hex } from './digest.ts';
import { readSpki, type Spki } from './spki.ts';

/** A public key for releases: ECDSA on P-256, which every openssl supports. */
export interface PublicKey {
  /** The DER SubjectPublicKeyInfo in canonical form, 91 bytes. */
  readonly der: Uint8Array;
  /** SHA-256 of `der`, 64 hex digits. */
  readonly id: string;
  /** `der` in base64, as in `release.json`. */
  readonly spki: string;
}

/** Trusted keys. Release keys sign releases; the recovery key may also change the keys. */
export interface TrustedKeys {
  readonly release: readonly PublicKey[];
  readonly recovery: PublicKey | undefined;
}

/** Longer than any public key in PEM. */
const maxPemLength = 8192;

/** Exactly one "PUBLIC KEY" block (RFC 7468, section 13). */
const pemPattern = /^-----BEGIN PUBLIC KEY-----\r?\n([A-Za-z0-9+/=\r\n]+)-----END PUBLIC KEY-----$/;
const base64Pattern = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * Reads a public key in PEM, or the base64 of its DER. Accepts any encoding of the point and the
 * curve and returns the canonical one, so that each key has one ID.
 * @throws LandfallError KEY_FORMAT for anything but a public key, KEY_KIND for another algorithm
 */
export function readPublicKey(text: string): PublicKey {
  const { der, kind } = decodePublicKey(text.trim());
  if (kind !== undefined) throw wrongKind(kind);
  return { der, id: sha256Hex(der), spki: toBase64(der) };
}

/**
 * The canonical form of a P-256 key: a named curve, and a point with both coordinates. The first 27
 * of 91 bytes are constant (RFC 5480, section 2); the last digit has no unused bits.
 */
const spkiPattern = /^MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE[A-Za-z0-9+/]{85}[AQgw]==$/;

/**
 * Returns whether a text is a public key exactly as in `release.json` (`spki` of `readPublicKey`),
 * with a point on the curve. Never throws.
 */
export function isPublicKey(text: string): boolean {
  const bytes = spkiPattern.test(text) ? fromBase64(text) : undefined;
  return bytes !== undefined && readSpki(bytes)?.der !== undefined;
}

function decodePublicKey(text: string): Spki {
  if (text.length <= maxPemLength && /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) {
    throw new LandfallError('KEY_FORMAT', 'expected a public key, found a private key', {
      hint: 'Use the .pub file next to it, and do not share the private key.',
    });
  }
  const base64 = text.length <= maxPemLength ? (pemPattern.exec(text)?.[1] ?? text) : '';
  const compact = base64.replaceAll(/[\r\n]/g, '');
  const bytes = base64Pattern.test(compact) ? fromBase64(compact) : undefined;
  const key = bytes && readSpki(bytes);
  if (key) return key;
  throw new LandfallError('KEY_FORMAT', 'not a public key in PEM format', {
    hint: 'Use the .pub file that `landfall keygen` wrote.',
  });
}

/** Returns the error for a public or private key that is not ECDSA on P-256. */
export function wrongKind(kind: string): LandfallError {
  return new LandfallError('KEY_KIND', `the key is ${kind}, not ECDSA on P-256`, {
    hint: 'Create a key with `landfall keygen`; every openssl since 1.1 supports P-256.',
  });
}

/** Formats a key ID for visual comparison: the first 128 bits, in groups of four digits. */
export function formatKeyId(id: string): string {
  return (id.slice(0, 32).match(/.{4}/g) ?? []).join(' ');
}

/** Returns a public key in PEM, for openssl and cosign. */
export function publicKeyPem(key: PublicKey): string {
  const lines = key.spki.match(/.{1,64}/g) ?? [];
  return ['-----BEGIN PUBLIC KEY-----', ...lines, '-----END PUBLIC KEY-----', ''].join('\n');
}
