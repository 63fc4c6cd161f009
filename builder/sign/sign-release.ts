import { checksumsOf } from '#contract/bundle/checksums.ts';
import {
  checksumsName,
  manifestName,
  provenanceName,
  signatureName,
  sigstoreName,
} from '#contract/bundle/head.ts';
import { encodeRelease, type Release } from '#contract/bundle/release.ts';
import { encodeCanonicalJson } from '#contract/text/canonical-json.ts';
import { preAuthEncoding, provenanceBundle } from '#contract/trust/provenance.ts';
import { sigstoreBundle } from '#contract/trust/sigstore.ts';
import type { SigningKey } from './private-key.ts';
import { signDer } from './sign-der.ts';

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
