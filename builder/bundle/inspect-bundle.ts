import { signatureName } from '#contract/bundle/head.ts';
import type { Release } from '#contract/bundle/release.ts';
import { readPublicKey } from '#contract/trust/keys.ts';
import { signerOf } from '#contract/trust/signature.ts';
import { headOfBundle } from './unverified-head.ts';

/** Contents of a bundle's head. Only the signature by the announced key is verified. */
export interface InspectedBundle {
  readonly verified: false;
  /** Bytes of the bundle. */
  readonly size: number;
  readonly release: Release;
  readonly manifestSha256: string;
  /** ID of the announced key that signed the release; undefined if none of them did. */
  readonly signedBy: string | undefined;
  readonly headSize: number;
}

/** Reads the head of a bundle. @throws LandfallError when it is not a bundle */
export async function inspectBundle(path: string): Promise<InspectedBundle> {
  const { size, release, manifest, manifestSha256, members, headSize } = await headOfBundle(path);
  const announced = [...release.keys.release, release.keys.recovery].filter((key) => key !== null);
  const signature = members.get(signatureName) ?? new Uint8Array();
  const signedBy = signerOf(manifest, signature, announced.map(readPublicKey))?.id;
  return { verified: false, size, release, manifestSha256, signedBy, headSize };
}
