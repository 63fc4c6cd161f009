import type { Rule } from '#contract/bundle/refusals.ts';
import type { ErrorCode } from '#contract/errors.ts';
import type { TrustPolicy } from '#contract/trust/trust.ts';

/** A bundle that nobody may accept, and what a verifier says when it is offered. */
export interface HostileBundle {
  /** What was done to it. */
  readonly name: string;
  readonly code: ErrorCode;
  readonly rule: Rule;
  readonly bundle: () => Buffer;
  /** Where the server is another than usual. */
  readonly policy?: Partial<TrustPolicy>;
}

/** Cases that all break the same rule. */
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
