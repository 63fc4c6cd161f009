import { LandfallError } from './errors.ts';

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
