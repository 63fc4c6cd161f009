import { describe, expect, it } from 'vitest';
import { decodeUtf8 } from '#contract/text/bytes.ts';
import { sigstoreBundle } from '#contract/trust/sigstore.ts';
import { sha256 } from '../../../../simulator/bundle.ts';
import { releaseKey, signDer } from '../../../../simulator/keys.ts';

const manifest = Buffer.from('{}\n');
const signature = signDer(manifest, releaseKey);

describe('a Sigstore bundle', () => {
  it('contains the digest, the signature and a hint to the key', () => {
    const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64');
    const bundle = sigstoreBundle(manifest, signature, releaseKey.public);
    expect(JSON.parse(decodeUtf8(bundle))).toEqual({
      mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
      verificationMaterial: { publicKey: { hint: base64(releaseKey.public.id) } },
      messageSignature: {
        messageDigest: { algorithm: 'SHA2_256', digest: base64(sha256(manifest)) },
        signature: signature.toString('base64'),
      },
    });
  });

  it('builds the same Sigstore bundle each time, so that a verifier can compare it', () => {
    const again = sigstoreBundle(new Uint8Array(manifest), signature, releaseKey.public);
    expect(again).toEqual(sigstoreBundle(manifest, signature, releaseKey.public));
  });
});
