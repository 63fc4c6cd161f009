import { applyRotation } from '#contract/trust/rotation.ts';
import type { Host } from '../../server/host/host.ts';
import { ensureTrustAnchor, writeTrustAnchor } from '../../server/host/trust-anchor.ts';
import type { Mirror } from './mirror.ts';

/** Rotations that are applied at once. A mirror could serve them without end. */
const maxRotations = 100;

/**
 * Applies the rotations of the keys that this server does not have, in order, and writes each one before
 * the next: it is kept whatever happens later (decision 33).
 * @throws LandfallError TRUST_REFUSED; NETWORK_…, HTTP_STATUS, BLOB_SIZE
 */
export async function followRotations(host: Host, mirror: Mirror, product: string): Promise<void> {
  let anchor = await ensureTrustAnchor(host);
  for (let count = 0; count < maxRotations; count += 1) {
    const rotation = await mirror.rotation(anchor.trust + 1);
    if (!rotation) return;
    anchor = applyRotation(anchor, product, rotation.bytes, rotation.signature);
    await writeTrustAnchor(host, anchor);
  }
}
