import type { ErrorCode } from '#contract/errors.ts';

/** A step of a request, in this order. `proxy`: the connection to the proxy and its tunnel. */
export type StepName = 'dns' | 'proxy' | 'tcp' | 'tls' | 'http';

/** A step that succeeded. */
interface Step {
  readonly name: StepName;
  /** Milliseconds. */
  readonly took: number;
}

/** Why a request failed. */
export interface AttemptFailure {
  readonly step: StepName;
  readonly code: ErrorCode;
  /** The cause, for users. It contains no text of the server. */
  readonly reason: string;
  /** The status with which an HTTP proxy refused the tunnel. */
  readonly proxyStatus?: number | undefined;
}

/** The result of one request over one route. */
export interface Attempt {
  readonly steps: readonly Step[];
  /** Addresses of the host; empty if the proxy resolves the name. */
  readonly addresses: readonly string[];
  /** The status of the response, if one arrived. */
  readonly status?: number;
  readonly failure?: AttemptFailure;
}

/** Returns whether the certificate of the host was accepted, which proves that the address is right. */
export function passedTls({ steps }: Attempt): boolean {
  return steps.some(({ name }) => name === 'tls');
}

/** Returns the milliseconds of a step; undefined if it did not succeed. */
export function timeOf({ steps }: Attempt, step: StepName): number | undefined {
  return steps.find(({ name }) => name === step)?.took;
}
