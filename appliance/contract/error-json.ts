import { LandfallError } from './errors.ts';

/** An error as programs read it, where a command was called with `--json`: one object. */
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
