import { ByteReader } from '#contract/bundle/byte-reader.ts';
import { decodeRelease } from '#contract/bundle/decode-release.ts';
import { manifestName, signatureName } from '#contract/bundle/head.ts';
import { readHead } from '#contract/bundle/read-head.ts';
import type { Release } from '#contract/bundle/release.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import { readPublicKey } from '#contract/trust/keys.ts';
import { signerOf } from '#contract/trust/signature.ts';
import { silentReporter } from '../progress/reporter.ts';
import { openBundle } from './open-bundle.ts';

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
  await using bundle = await openBundle(path, silentReporter);
  const reader = new ByteReader(bundle.content);
  try {
    const { members, size: headSize } = await readHead(reader);
    const manifest = members.get(manifestName) ?? Buffer.alloc(0);
    const release = decodeRelease(manifest);
    const { keys } = release;
    const announced = [...keys.release, keys.recovery].filter((key) => key !== null);
    const signature = members.get(signatureName) ?? Buffer.alloc(0);
    const signedBy = signerOf(manifest, signature, announced.map(readPublicKey))?.id;
    const manifestSha256 = sha256Hex(manifest);
    return { verified: false, size: bundle.size, release, manifestSha256, signedBy, headSize };
  } finally {
    await reader.close();
  }
}
