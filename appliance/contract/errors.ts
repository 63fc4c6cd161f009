import { type ErrorCode, rowOfCode } from './error-codes.ts';

export type { ErrorCode };

/** One finding. Several are reported together where several can be found. */
export interface Problem {
  readonly message: string;
  readonly hint?: string | undefined;
  readonly file?: string | undefined;
  /** 1-based. */
  readonly line?: number | undefined;
  /** 1-based. */
  readonly column?: number | undefined;
}

export interface ErrorDetails {
  /** What the reader should do next, as one sentence. */
  readonly hint?: string | undefined;
  readonly problems?: readonly Problem[] | undefined;
  /** Whether the same action may succeed later without a change; default: as its code says. */
  readonly retriable?: boolean | undefined;
  readonly cause?: unknown;
}

/**
 * The only error class of the project: a code, what happened, what to do about it, and whether the
 * same action may succeed later without a change.
 */
export class LandfallError extends Error {
  override readonly name = 'LandfallError';
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly problems: readonly Problem[];
  readonly retriable: boolean;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.hint = details.hint;
    this.problems = details.problems ?? [];
    this.retriable = details.retriable ?? rowOfCode(code).retriable;
  }
}

/** Returns the exit code for an error: its code's, or 1 for a bug. */
export function exitCodeOf(error: unknown): number {
  return error instanceof LandfallError ? rowOfCode(error.code).exit : 1;
}

/** Tells whether an error says that a host could not be reached. */
export function isNetworkError(error: unknown): error is LandfallError {
  return error instanceof LandfallError && rowOfCode(error.code).family === 'network';
}
