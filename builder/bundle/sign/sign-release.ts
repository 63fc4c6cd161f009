import { type KeyObject, sign } from 'node:crypto';
import {
  checksumsName,
  manifestName,
  provenanceName,
  signatureName,
  sigstoreName,
} from '#contract/bundle/head.ts';
import { checksumsOf } from '#contract/bundle/layout.ts';
import { encodeRelease, type Release } from '#contract/bundle/release.ts';
import { encodeCanonicalJson } from '#contract/text/json.ts';
import { preAuthEncoding, provenanceBundle } from '#contract/trust/provenance.ts';
import { sigstoreBundle } from '#contract/trust/sigstore.ts';
import type { SigningKey } from './private-key.ts';

/** The members of a bundle's head by name, in the order of `head.ts`. */
export type SignedHead = ReadonlyMap<string, Uint8Array>;

/**
 * Signs a release and returns the head of its bundle. ECDSA is randomised: the signature, its Sigstore
 * bundle and the provenance differ between calls; the other members are reproducible.
 */
export function signRelease(release: Release, statement: object, signer: SigningKey): SignedHead {
  return signHead(release, encodeCanonicalJson(statement), signer);
}

/**
 * Signs a release with the encoded statement of its provenance.
 * @param payload undefined: the bundle has no provenance
 */
export function signHead(
  release: Release,
  payload: Uint8Array | undefined,
  signer: SigningKey,
): SignedHead {
  const manifest = encodeRelease(release);
  const signature = signDer(manifest, signer.key);
  const head = new Map<string, Uint8Array>([
    [manifestName, manifest],
    [signatureName, signature],
    [sigstoreName, sigstoreBundle(manifest, signature, signer.public)],
    [checksumsName, checksumsOf(release, manifest)],
  ]);
  if (payload) {
    const attested = signDer(preAuthEncoding(payload), signer.key);
    head.set(provenanceName, provenanceBundle(payload, attested, signer.public));
  }
  return head;
}

/** The order of the group of P-256 (SEC 2, section 2.4.2). */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const scalarBytes = 32;

/**
 * Signs with ECDSA P-256 over SHA-256 and returns DER, as `openssl dgst -verify` and cosign require.
 * Every signature has two valid forms, (r, s) and (r, order - s); the one with the low s is returned.
 */
export function signDer(bytes: Uint8Array, key: KeyObject): Buffer {
  const raw = sign('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' });
  const r = BigInt(`0x${raw.toString('hex', 0, scalarBytes)}`);
  const s = BigInt(`0x${raw.toString('hex', scalarBytes)}`);
  const body = Buffer.concat([derInteger(r), derInteger(s > order / 2n ? order - s : s)]);
  return Buffer.concat([Buffer.of(0x30, body.length), body]);
}

/** Encodes a positive INTEGER (X.690, section 8.3): minimal length, with a leading zero if needed. */
function derInteger(value: bigint): Buffer {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  const isNegative = bytes.readUInt8(0) >= 0x80;
  const content = isNegative ? Buffer.concat([Buffer.of(0), bytes]) : bytes;
  return Buffer.concat([Buffer.of(0x02, content.length), content]);
}
