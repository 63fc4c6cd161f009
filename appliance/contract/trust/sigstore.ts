import { encodeCanonicalJson } from '../text/canonical-json.ts';
import { sha256Hex } from './digest.ts';
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
): Buffer {
  return encodeCanonicalJson({
    mediaType: bundleMediaType,
    verificationMaterial: verificationMaterial(signer),
    messageSignature: {
      messageDigest: {
        algorithm: 'SHA2_256',
        digest: Buffer.from(sha256Hex(manifest), 'hex').toString('base64'),
      },
      signature: Buffer.from(signature).toString('base64'),
    },
  });
}

/** How a Sigstore bundle names a key: the base64 of the SHA-256 of its DER form. A hint, not trust. */
export function verificationMaterial(signer: PublicKey): { publicKey: { hint: string } } {
  return { publicKey: { hint: Buffer.from(signer.id, 'hex').toString('base64') } };
}
