import { type ErrorCode, LandfallError } from '#contract/errors.ts';
import { failureReason, unknownReason } from '#http/failure-reasons.ts';
import { tlsFailure } from '#http/tls-failures.ts';
import type { StepName } from './attempt.ts';

/** The code and the cause of a failed step. */
interface Reason {
  readonly code: ErrorCode;
  readonly reason: string;
}

/** Returns why a step failed, from the error of Node or from our own. */
export function reasonOf(cause: unknown, step: StepName): Reason {
  if (cause instanceof LandfallError) return { code: cause.code, reason: cause.message };
  const code = codeOf(cause);
  // A proxy that disconnects during the handshake is not a TLS failure.
  const tls = tlsFailure(code);
  if (tls !== undefined) return { code: 'NETWORK_TLS', reason: tls.text };
  const known = failureReason(code) ?? unknownReason(code);
  return { code: step === 'proxy' ? 'NETWORK_PROXY' : known.code, reason: known.text };
}

function codeOf(cause: unknown): string {
  const code = (cause as { code?: unknown } | null)?.code;
  const text = typeof code === 'string' ? code : '';
  return text.startsWith('HPE_') ? 'HPE_REFUSED' : text;
}
