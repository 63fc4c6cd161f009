import { LandfallError } from '../errors.ts';
import { type Paint, unpainted } from './paint.ts';
import { formatProblems } from './problem.ts';

/** Presentation of an error. */
interface ErrorLook {
  /** Printed before the code; default: `error`. */
  readonly label?: string;
  readonly paint?: Paint;
  /** Whether it is retried automatically, or how to retry it, on its own line. */
  readonly retry?: string | undefined;
}

/** Formats an error for users: message, problems with positions, hint. */
export function formatError(
  error: unknown,
  { label = 'error', paint = unpainted, retry }: ErrorLook = {},
): string {
  if (!(error instanceof LandfallError)) return formatBug(error, label, paint);
  const { code, message, problems, hint } = error;
  return [
    `${paint('red', label)} ${paint('bold', code)}: ${message}`,
    ...formatProblems(problems, paint),
    ...(hint ? [`${paint('yellow', 'hint')}: ${hint}`] : []),
    ...(retry ? [retry] : []),
  ].join('\n');
}

/** Formats an unexpected error with its stack, for maintainers. */
function formatBug(error: unknown, label: string, paint: Paint): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return [
    `${paint('red', label)} this is a bug in Landfall`,
    text,
    `${paint('yellow', 'hint')}: Report it with the lines above.`,
  ].join('\n');
}
