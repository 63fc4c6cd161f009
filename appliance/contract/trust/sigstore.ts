import { sha256 } from '#platform/sha256.ts';
import { toBase64 } from '../text/base64.ts';
import { fromHex } from '../text/bytes.ts';
import { encodeCanonicalJson } from '../text/canonical-json.ts';
import type { PublicKey } from './keys.ts';

export const bundleMediaType = 'application/vnd.dev.sigstore.bundle.v0.3+json';

/**
 * The signature as a Sigstore bundle v0.3 (protobuf-specs, `sigstore_bundle.proto`, JSON form) with
 * a public key hint, for `cosign verify-blob --bundle`. There is no transparency log entry: the
 * trust is in the key alone. It follows from its inputs, so a reader makes it again and compares.
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

/** How a Sigstore bundle names a key: the base64 of the SHA-256 of its DER form. A hint, not trust. */
export function verificationMaterial(signer: PublicKey): { publicKey: { hint: string } } {
  return { publicKey: { hint: toBase64(fromHex(signer.id)) } };
}
