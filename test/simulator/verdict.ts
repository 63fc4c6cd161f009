import { type Rule, rules } from '#contract/bundle/refusals.ts';
import { verifyBundle } from '#contract/bundle/verify.ts';
import { type ErrorCode, LandfallError } from '#contract/errors.ts';
import type { TrustPolicy } from '#contract/trust/trust.ts';
import { recoveryKey, releaseKey, secondKey } from './keys.ts';

/** The verdict of a verifier on a bundle. */
export type Verdict =
  | { readonly accepted: true; readonly signer: 'release' | 'recovery' }
  | {
      readonly accepted: false;
      readonly code: ErrorCode;
      readonly rule: Rule | undefined;
      /** All text that the user sees. */
      readonly text: string;
    };

/** The policy of the simulated server. */
export const serverPolicy: TrustPolicy = {
  keys: { release: [releaseKey.public, secondKey.public], recovery: recoveryKey.public },
  product: 'landfall',
  arch: 'amd64',
  installed: '1.1.0',
  now: new Date('2026-11-21T00:00:00Z'),
};

/**
 * Calls the verifier under test. Any error but a LandfallError is a crash of the verifier and
 * passes through.
 */
export async function judge(
  bundle: AsyncIterable<Uint8Array> | Buffer,
  policy: Partial<TrustPolicy> = {},
): Promise<Verdict> {
  const source = Buffer.isBuffer(bundle) ? oneChunk(bundle) : bundle;
  try {
    const { signer } = await verifyBundle(source, { ...serverPolicy, ...policy });
    return { accepted: true, signer: signer.role };
  } catch (error) {
    if (!(error instanceof LandfallError)) throw error;
    return {
      accepted: false,
      code: error.code,
      rule: ruleOf(error),
      text: [error.message, error.hint, ...error.problems.map(({ message }) => message)].join(' '),
    };
  }
}

/** A stream of one chunk. */
export async function* oneChunk(bytes: Buffer): AsyncGenerator<Buffer> {
  if (bytes.length > 0) yield bytes;
}

/** Returns the rule that a refused bundle violates; undefined for any other error. */
export function ruleOf(error: unknown): Rule | undefined {
  if (!(error instanceof LandfallError) || !('rule' in error)) return undefined;
  return Object.keys(rules).find((rule): rule is Rule => rule === error.rule);
}
