import { createHash } from 'node:crypto';
import { verifyBundle } from '#contract/bundle/verify.ts';
import { LandfallError } from '#contract/errors.ts';
import type { TrustPolicy } from '#contract/trust/trust.ts';
import { oneChunk, ruleOf, serverPolicy } from '../simulator/verdict.ts';
import type { Verdict } from './verdict.ts';

/**
 * The policy that user-data sets for the bootstrap: a pinned manifest, a trusted key, any age. No
 * release is installed yet.
 */
function policyWith(pinned: string): TrustPolicy {
  return { ...serverPolicy, pinned, installed: undefined, now: undefined };
}

/** Returns the verdict of the verifier. Any other error is a crash and passes through. */
export async function verifierJudges(
  bundle: Buffer | AsyncIterable<Buffer>,
  pin: string,
): Promise<Verdict> {
  const files: string[] = [];
  const source = Buffer.isBuffer(bundle) ? oneChunk(bundle) : bundle;
  try {
    await verifyBundle(source, policyWith(pin), async ({ path, executable }, content) => {
      const hash = createHash('sha256');
      for await (const chunk of content) hash.update(chunk);
      files.push(`${path} ${hash.digest('hex')} ${executable ? '0o100755' : '0o100644'}`);
    });
    return { accepted: true, files: files.sort() };
  } catch (error) {
    if (!(error instanceof LandfallError)) throw error;
    return { accepted: false, why: error.message, rule: ruleOf(error) };
  }
}
