import { join } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { firstAnchor, type TrustAnchor, type TrustRotation } from '#contract/trust/anchor.ts';
import { maxSignatureBytes, type PublicKey } from '#contract/trust/keys.ts';
import {
  applyRotation,
  decodeRotation,
  encodeRotation,
  maxRotationBytes,
} from '#contract/trust/rotation.ts';
import { orFileError } from '#files/file-error.ts';
import { readRegular } from '#files/open-regular.ts';
import { replaceFile } from '#files/replace-file.ts';
import { makeFolder } from '../../base/files/folder.ts';
import type { SigningKey } from '../../bundle/sign/private-key.ts';
import { signDer } from '../../bundle/sign/sign-release.ts';

/** The folder of the rotations, beside the folders of channels and releases. */
const trustFolder = 'trust';

/**
 * Returns the keys after the published rotations, as a server that followed all of them has them;
 * undefined without a rotation. The keys before the first rotation are only known to servers, so that
 * its signature is not verified here.
 * @param root the folder above `trust/`
 * @throws LandfallError TRUST_REFUSED for a rotation that servers refuse
 */
export async function lastRotation(
  root: string,
  product: string,
): Promise<TrustAnchor | undefined> {
  let anchor: TrustAnchor | undefined;
  for (let number = 1; ; number += 1) {
    const path = join(root, trustFolder, `${number}.json`);
    const bytes = await readRegular(path, maxRotationBytes);
    if (!bytes) return anchor;
    const signature = (await readRegular(`${path}.sig`, maxSignatureBytes)) ?? new Uint8Array();
    anchor = anchor
      ? applyRotation(anchor, product, bytes, signature)
      : anchorOf(decodeRotation(bytes), path);
  }
}

function anchorOf(rotation: TrustRotation | undefined, path: string): TrustAnchor {
  if (!rotation) throw new LandfallError('TRUST_REFUSED', `${path} is not a rotation of keys`);
  const { release, recovery, revoked, floor, trust } = rotation;
  return { schema: 1, release, recovery, revoked, floor, channelSerial: 0, trust };
}

/** What a rotation changes. */
export interface KeyRotation {
  readonly product: string;
  /** The release keys from now on. */
  readonly release: readonly PublicKey[];
  /** The recovery key from now on. */
  readonly recovery: PublicKey;
  /** Keys that servers never trust again, besides those that they trust now and that are not listed. */
  readonly revoked: readonly PublicKey[];
  /** The oldest release that servers install from now on. */
  readonly floor: string | undefined;
}

/**
 * Writes the next rotation of the keys and its signature, and verifies both with the code of the server.
 * @param root the folder above `trust/`
 * @param signer the current recovery key
 * @returns the keys afterwards
 * @throws LandfallError TRUST_REFUSED, FILE_EXISTS, FILE_ACCESS
 */
export async function rotateKeys(
  root: string,
  { product, release, recovery, revoked, floor }: KeyRotation,
  signer: SigningKey,
  created: string,
): Promise<TrustAnchor> {
  const before =
    (await lastRotation(root, product)) ?? firstAnchor({ release, recovery: signer.public });
  const rotation: TrustRotation = {
    type: 'landfall-trust',
    schema: 1,
    product,
    trust: before.trust + 1,
    created,
    release: release.map(({ spki }) => spki),
    recovery: recovery.spki,
    revoked: revoked.map(({ spki }) => spki),
    floor: floor ?? null,
  };
  const bytes = encodeRotation(rotation);
  const signature = signDer(bytes, signer.key);
  const after = applyRotation(before, product, bytes, signature);
  const folder = join(root, trustFolder);
  await orFileError(folder, makeFolder(folder));
  const path = join(folder, `${rotation.trust}.json`);
  // The document is last: without it, servers do not look for the signature.
  await orFileError(path, replaceFile(`${path}.sig`, signature));
  await orFileError(path, replaceFile(path, bytes));
  return after;
}
