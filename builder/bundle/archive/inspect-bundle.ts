import { signatureName } from '#contract/bundle/head.ts';
import { readPublicKey, signerOf } from '#contract/trust/keys.ts';
import { headOfBundle } from './unverified-head.ts';

/** Contents of a bundle's head. Only the signature by the announced key is verified. */
export type InspectedBundle = Awaited<ReturnType<typeof inspectBundle>>;

/** Reads the head of a bundle. @throws LandfallError when it is not a bundle */
export async function inspectBundle(path: string) {
  const { size, release, manifest, manifestSha256, members, headSize } = await headOfBundle(path);
  const announced = [...release.keys.release, release.keys.recovery].filter((key) => key !== null);
  const signature = members.get(signatureName) ?? new Uint8Array();
  /** ID of the announced key that signed the release; undefined if none of them did. */
  const signedBy = signerOf(manifest, signature, announced.map(readPublicKey))?.id;
  return { verified: false, size, release, manifestSha256, signedBy, headSize } as const;
}
