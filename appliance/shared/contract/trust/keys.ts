import { readPoint } from '#platform/p256-point.ts';
import { verifyP256 } from '#platform/verify-p256.ts';
import { LandfallError } from '../errors.ts';
import { concatBytes, fromBase64, fromHex, toBase64, toHex } from '../text/bytes.ts';
import { readDer } from './der.ts';
import { sha256Hex } from './digest.ts';

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

/** Returns the keys of a release or of a trust anchor. */
export function trustedKeysOf({
  release,
  recovery,
}: {
  readonly release: readonly string[];
  readonly recovery: string | null;
}): TrustedKeys {
  return {
    release: release.map(readPublicKey),
    recovery: recovery === null ? undefined : readPublicKey(recovery),
  };
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

const tags = { bitString: 0x03, objectId: 0x06, sequence: 0x30 };

/** Object identifiers of algorithms and curves, as hex digits of their DER content. */
const ecPublicKey = '2a8648ce3d0201';
const prime256v1 = '2a8648ce3d030107';
const algorithms: Readonly<Record<string, string>> = {
  '2a864886f70d010101': 'rsa',
  '2a864886f70d01010a': 'rsa-pss',
  '2a8648ce380401': 'dsa',
  '2b656e': 'x25519',
  '2b656f': 'x448',
  '2b6570': 'ed25519',
  '2b6571': 'ed448',
};
const curves: Readonly<Record<string, string>> = {
  '2b81040022': 'secp384r1',
  '2b81040023': 'secp521r1',
  '2b8104000a': 'secp256k1',
};

/**
 * P-256 with explicit parameters (SEC 1, section C.2; values of SEC 2, section 2.4.2): with or
 * without seed and cofactor, the base point in any of its three encodings. Any other value would be
 * another curve, for which an attacker could forge signatures (CVE-2020-0601).
 */
const explicitP256 = explicitCurve({
  p: 'ffffffff00000001000000000000000000000000ffffffffffffffffffffffff',
  a: 'ffffffff00000001000000000000000000000000fffffffffffffffffffffffc',
  b: '5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b',
  seed: 'c49d360886e704936a6678e1139d26b7819f7e90',
  x: '6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296',
  y: '4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5',
  n: 'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551',
});

/** The DER SubjectPublicKeyInfo of a P-256 key before its point, in canonical form (RFC 5480). */
const prefix = fromHex('3059301306072a8648ce3d020106082a8648ce3d030107034200');

/** A P-256 key in canonical form, or the kind of another key: `rsa`, `ec secp384r1`. */
type Spki =
  | { readonly der: Uint8Array; readonly kind?: never }
  | { readonly kind: string; readonly der?: never };

/**
 * Parses a DER SubjectPublicKeyInfo (RFC 5280, section 4.1). Accepts any encoding of the point and
 * the curve of P-256. Returns undefined for invalid input, and only the kind of other keys.
 */
function readSpki(bytes: Uint8Array): Spki | undefined {
  const [algorithm, key] = childrenOf(bytes, 2) ?? [];
  if (algorithm?.tag !== tags.sequence || key?.tag !== tags.bitString) return undefined;
  const [id, parameters] = readDer(algorithm.content) ?? [];
  if (id?.tag !== tags.objectId) return undefined;
  const name = toHex(id.content);
  if (name !== ecPublicKey) return { kind: algorithms[name] ?? 'of an unknown kind' };
  if (!parameters) return undefined;
  const kind = kindOfCurve(parameters.tag, toHex(parameters.content));
  if (kind !== undefined) return { kind };
  const [unusedBits] = key.content;
  const point = unusedBits === 0 ? readPoint(key.content.subarray(1)) : undefined;
  return point && { der: concatBytes(prefix, point) };
}

/** Matches ECParameters in hex digits; p and n have a leading zero byte because of the sign bit. */
function explicitCurve(of: Record<'p' | 'a' | 'b' | 'seed' | 'x' | 'y' | 'n', string>): RegExp {
  const coefficients = `0420${of.a}0420${of.b}`;
  const base = `(?:042103${of.x}|04410[47]${of.x}${of.y})`;
  return new RegExp(
    `^020101302c06072a8648ce3d0101022100${of.p}` +
      `(?:3044${coefficients}|305b${coefficients}031500${of.seed})` +
      `${base}022100${of.n}(?:020101)?$`,
  );
}

/** Returns the kind of another curve; undefined for P-256. */
function kindOfCurve(tag: number, content: string): string | undefined {
  if (tag === tags.sequence) return explicitP256.test(content) ? undefined : 'ec';
  if (tag !== tags.objectId) return 'ec';
  return content === prime256v1 ? undefined : `ec ${curves[content] ?? ''}`.trim();
}

function childrenOf(bytes: Uint8Array, count: number) {
  const [outer, ...others] = readDer(bytes) ?? [];
  if (outer?.tag !== tags.sequence || others.length > 0) return undefined;
  const children = readDer(outer.content);
  return children?.length === count ? children : undefined;
}

/**
 * Maximum DER size of an ECDSA P-256 signature: two 33-byte integers with their headers.
 * `openssl dgst -verify` reads no further, so it would ignore the rest of a longer file.
 */
export const maxSignatureBytes = 72;

/**
 * Returns the key that made a signature (ECDSA P-256, SHA-256, DER) over these bytes, or undefined.
 * Rejects trailing data after the DER value, and signatures that are longer than openssl reads.
 * Never throws on malicious input.
 */
export function signerOf(
  message: Uint8Array,
  signature: Uint8Array,
  keys: readonly PublicKey[],
): PublicKey | undefined {
  if (signature.byteLength === 0 || signature.byteLength > maxSignatureBytes) return undefined;
  return keys.find(({ der }) => verifyP256(der, signature, message));
}
