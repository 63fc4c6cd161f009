import { type ErrorCode, rowOfCode } from './error-codes.ts';
import { inLanguage, type Text } from './text/language.ts';

export type { ErrorCode };

/** One finding. Several findings are reported together if possible. */
export interface Problem {
  readonly message: string;
  readonly hint?: string | undefined;
  /** The line of the file without the mistake, to copy. */
  readonly corrected?: string | undefined;
  readonly file?: string | undefined;
  /** 1-based. */
  readonly line?: number | undefined;
  /** 1-based. */
  readonly column?: number | undefined;
}

export interface ErrorDetails {
  /** What the user should do next, as one sentence; with both languages, in that of the process. */
  readonly hint?: string | Text | undefined;
  readonly problems?: readonly Problem[] | undefined;
  /** Whether the same action may succeed later without a change. Default: by code. */
  readonly retriable?: boolean | undefined;
  readonly cause?: unknown;
}

/**
 * The only error class of the project: a code, a message, a hint, and whether the same action may
 * succeed later without a change.
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
    this.hint = typeof details.hint === 'object' ? inLanguage(details.hint) : details.hint;
    this.problems = details.problems ?? [];
    this.retriable = details.retriable ?? rowOfCode(code).retriable;
  }
}

/** Returns the exit code of an error: that of its code, or 1 for a bug. */
export function exitCodeOf(error: unknown): number {
  return error instanceof LandfallError ? rowOfCode(error.code).exit : 1;
}

/** Returns whether an error means that a host is unreachable. */
export function isNetworkError(error: unknown): error is LandfallError {
  return error instanceof LandfallError && rowOfCode(error.code).family === 'network';
}

/** Converts an error to JSON for commands with `--json`. */
export function errorToJson(error: unknown): object {
  if (!(error instanceof LandfallError)) {
    return {
      error: {
        code: 'BUG',
        message: error instanceof Error ? error.message : String(error),
        retriable: false,
      },
    };
  }
  const { code, message, hint, problems, retriable } = error;
  return { error: { code, message, hint, problems, retriable } };
}

/** A violated rule that a schema does not express, with the path of its value. */
export interface FieldProblem {
  readonly at: ReadonlyArray<string | number>;
  readonly message: string;
  readonly hint?: string | undefined;
}
