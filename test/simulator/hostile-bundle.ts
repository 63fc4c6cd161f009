import type { Rule } from '#contract/bundle/refusals.ts';
import type { ErrorCode } from '#contract/errors.ts';
import type { TrustPolicy } from '#contract/trust/trust.ts';

/** A bundle that must be rejected, with the expected verdict. */
export interface HostileBundle {
  /** The manipulation. */
  readonly name: string;
  readonly code: ErrorCode;
  readonly rule: Rule;
  readonly bundle: () => Buffer;
  /** Differences from the default server. */
  readonly policy?: Partial<TrustPolicy>;
}

/** Cases that violate the same rule. */
export function breaking(
  code: ErrorCode,
  rule: Rule,
  cases: Readonly<
    Record<string, HostileBundle['bundle'] | Pick<HostileBundle, 'bundle' | 'policy'>>
  >,
): HostileBundle[] {
  return Object.entries(cases).map(([name, made]) => ({
    name,
    code,
    rule,
    ...(typeof made === 'function' ? { bundle: made } : made),
  }));
}
