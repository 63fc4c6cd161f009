import { LandfallError } from '../errors.ts';
import { formatProblems, type Paint, unpainted } from './problem.ts';

/** What the reader of an error sees besides the error. */
interface ErrorLook {
  /** Stands in front of the code; default: `error`. */
  readonly label?: string;
  readonly paint?: Paint;
  /** Whether it is retried automatically, or how to retry it, as a line of its own. */
  readonly retry?: string | undefined;
}

/** Formats an error as people read it: what happened, every problem with its place, what to do. */
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

/** The stack is what a maintainer needs. */
function formatBug(error: unknown, label: string, paint: Paint): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return [
    `${paint('red', label)} this is a bug in Landfall`,
    text,
    `${paint('yellow', 'hint')}: Please report it with the lines above.`,
  ].join('\n');
}
