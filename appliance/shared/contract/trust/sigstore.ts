import { sha256 } from '#platform/sha256.ts';
import { fromHex, toBase64 } from '../text/bytes.ts';
import { encodeCanonicalJson } from '../text/json.ts';
import type { PublicKey } from './keys.ts';

export const bundleMediaType = 'application/vnd.dev.sigstore.bundle.v0.3+json';

/**
 * Encodes the signature as a Sigstore bundle v0.3 (protobuf-specs, `sigstore_bundle.proto`, JSON
 * form) with a public key hint, for `cosign verify-blob --bundle`. Has no transparency log entry:
 * only the key is trusted. Deterministic, so a verifier regenerates and compares it.
 */
export function sigstoreBundle(
  manifest: Uint8Array,
  signature: Uint8Array,
  signer: PublicKey,
): Uint8Array {
  return encodeCanonicalJson({
    mediaType: bundleMediaType,
    verificationMaterial: verificationMaterial(signer),
    messageSignature: {
      messageDigest: {
        algorithm: 'SHA2_256',
        digest: toBase64(sha256(manifest)),
      },
      signature: toBase64(signature),
    },
  });
}

/**
 * Returns the key hint of a Sigstore bundle: base64 of the SHA-256 of the DER. It is not trusted.
 */
export function verificationMaterial(signer: PublicKey): { publicKey: { hint: string } } {
  return { publicKey: { hint: toBase64(fromHex(signer.id)) } };
}
