import { z } from 'zod';
import { parseJson } from '#contract/text/json.ts';
import { manifestName } from '../bundle/head.ts';
import { areEqual, concatBytes, encodeUtf8, fromBase64, toBase64 } from '../text/bytes.ts';
import { encodeCanonicalJson } from '../text/json.ts';
import { sha256Hex } from './digest.ts';
import { type PublicKey, signerOf } from './keys.ts';
import { bundleMediaType, verificationMaterial } from './sigstore.ts';

export const statementType = 'https://in-toto.io/Statement/v1';
export const predicateType = 'https://slsa.dev/provenance/v1';
export const payloadType = 'application/vnd.in-toto+json';

/** Exactly one signature and one subject, so that the statement cannot refer to anything else. */
const envelopeSchema = z.object({
  dsseEnvelope: z.object({
    payload: z.string(),
    signatures: z.tuple([z.object({ sig: z.string() })]),
  }),
});
const statementSchema = z.object({
  _type: z.literal(statementType),
  predicateType: z.literal(predicateType),
  subject: z.tuple([
    z.object({ name: z.literal(manifestName), digest: z.object({ sha256: z.string() }) }),
  ]),
});

/** Returns the bytes that a DSSE signature covers (DSSE v1, "PAE"). */
export function preAuthEncoding(payload: Uint8Array): Uint8Array {
  return concatBytes(
    encodeUtf8(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.byteLength} `),
    payload,
  );
}

/**
 * Encodes the provenance member: an in-toto statement in a DSSE envelope in a Sigstore bundle v0.3.
 */
export function provenanceBundle(
  payload: Uint8Array,
  signature: Uint8Array,
  signer: PublicKey,
): Uint8Array {
  return encodeCanonicalJson({
    mediaType: bundleMediaType,
    verificationMaterial: verificationMaterial(signer),
    dsseEnvelope: {
      payload: toBase64(payload),
      payloadType,
      signatures: [{ sig: toBase64(signature) }],
    },
  });
}

/**
 * Returns whether a provenance member is signed by this key and refers to exactly this manifest.
 * Never throws on malicious input.
 */
export function isProvenanceOf(
  bytes: Uint8Array,
  manifest: Uint8Array,
  signer: PublicKey,
): boolean {
  const envelope = readEnvelope(bytes);
  if (!envelope) return false;
  const { payload, signature } = envelope;
  // Regenerate and compare the member, so that only the canonical encoding is accepted.
  if (!areEqual(provenanceBundle(payload, signature, signer), bytes)) return false;
  if (!signerOf(preAuthEncoding(payload), signature, [signer])) return false;
  return isAbout(payload, sha256Hex(manifest));
}

/**
 * Returns the statement of a provenance member, or undefined if the member is invalid. Does not verify
 * its signature.
 */
export function provenancePayload(bytes: Uint8Array): Uint8Array | undefined {
  return readEnvelope(bytes)?.payload;
}

function readEnvelope(
  bytes: Uint8Array,
): { payload: Uint8Array; signature: Uint8Array } | undefined {
  const parsed = envelopeSchema.safeParse(parseJson(bytes));
  if (!parsed.success) return undefined;
  const { dsseEnvelope } = parsed.data;
  const payload = fromBase64(dsseEnvelope.payload);
  const signature = fromBase64(dsseEnvelope.signatures[0].sig);
  return payload && signature && { payload, signature };
}

function isAbout(payload: Uint8Array, sha256: string): boolean {
  const statement = statementSchema.safeParse(parseJson(payload));
  return statement.success && statement.data.subject[0].digest.sha256 === sha256;
}
