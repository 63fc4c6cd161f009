import { createPublicKey } from 'node:crypto';
import { bundleFromJSON } from '@sigstore/bundle';
import { toSignedEntity, toTrustMaterial, Verifier } from '@sigstore/verify';
import { describe, expect, it } from 'vitest';
import { decodeUtf8 } from '#contract/text/bytes.ts';
import { publicKeyPem } from '#contract/trust/keys.ts';
import { bundleMediaType, sigstoreBundle } from '#contract/trust/sigstore.ts';
import { attestation, statementAbout } from '../../../../simulator/bundle.ts';
import { releaseKey, signDer, signP1363, strangerKey } from '../../../../simulator/keys.ts';

const manifest = Buffer.from('{\n  "schema": 1\n}\n');
const signature = signDer(manifest, releaseKey);

/** Trusts one key only: no authority and no log. */
const noAuthorities = {
  mediaType: 'application/vnd.dev.sigstore.trustedroot+json;version=0.1',
  ...{ tlogs: [], ctlogs: [], certificateAuthorities: [], timestampAuthorities: [] },
};
const trust = toTrustMaterial(noAuthorities, () => ({
  publicKey: createPublicKey(publicKeyPem(releaseKey.public)),
  validFor: () => true,
}));
const verifier = new Verifier(trust, {
  tlogThreshold: 0,
  ctlogThreshold: 0,
  timestampThreshold: 0,
});

/** Verifies a bundle with the reference implementation for Node. Throws if it is rejected. */
function verify(bundle: Buffer | object, artifact: Buffer): void {
  const json = bundle instanceof Uint8Array ? JSON.parse(decodeUtf8(bundle)) : bundle;
  verifier.verify(toSignedEntity(bundleFromJSON(json), artifact));
}

describe('sigstore-js', () => {
  const good = sigstoreBundle(manifest, signature, releaseKey.public);

  it('accepts the Sigstore bundle of a manifest', () => {
    expect(() => verify(good, manifest)).not.toThrow();
  });

  it('accepts the provenance', () => {
    const statement = Buffer.from(JSON.stringify(statementAbout(manifest)));
    expect(() => verify(attestation(statement, releaseKey), manifest)).not.toThrow();
  });

  it.each([
    ['a changed manifest', () => verify(good, Buffer.concat([manifest, Buffer.from('\n')]))],
    [
      'a signature by another key with the same hint',
      () =>
        verify(
          sigstoreBundle(manifest, signDer(manifest, strangerKey), releaseKey.public),
          manifest,
        ),
    ],
    [
      'a signature in P1363 form',
      () =>
        verify(
          sigstoreBundle(manifest, signP1363(manifest, releaseKey), releaseKey.public),
          manifest,
        ),
    ],
    [
      'a provenance by another key',
      () => {
        const statement = Buffer.from(JSON.stringify(statementAbout(manifest)));
        verify(attestation(statement, strangerKey, releaseKey), manifest);
      },
    ],
    [
      "a legacy bundle that contains the attacker's key (GHSA-fx35-mq7g-6g98)",
      () =>
        verify(
          {
            mediaType: bundleMediaType,
            base64Signature: signDer(manifest, strangerKey).toString('base64'),
            cert: Buffer.from(publicKeyPem(strangerKey.public)).toString('base64'),
          },
          manifest,
        ),
    ],
  ])('rejects %s', (_, attempt) => {
    expect(attempt).toThrow();
  });
});
