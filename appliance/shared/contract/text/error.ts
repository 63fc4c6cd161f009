import { LandfallError } from '../errors.ts';
import { headOf, hintsOf } from './chinese-errors.ts';
import { inLanguage } from './language.ts';
import { type Paint, unpainted } from './paint.ts';
import { formatProblems } from './problem.ts';
import { wrap } from './wrap.ts';

/** Presentation of an error. */
interface ErrorLook {
  /** Printed before the code; default: `error`. */
  readonly label?: string;
  readonly paint?: Paint;
  /** Whether it is retried automatically, or how to retry it, on its own line. */
  readonly retry?: string | undefined;
  /** Of the terminal; undefined: lines are not wrapped. */
  readonly columns?: number | undefined;
}

/**
 * Formats an error for users: message, problems with positions, hint. In Chinese, the meaning of the
 * code comes first; the message follows, because it names the values. See {@link hintsOf}.
 */
export function formatError(
  error: unknown,
  { label = inLanguage(labels), paint = unpainted, retry, columns }: ErrorLook = {},
): string {
  if (!(error instanceof LandfallError)) return formatBug(error, label, paint);
  const { code, message, problems } = error;
  const { head, below } = headOf({ code, message });
  const { advice, hint } = hintsOf(error);
  const wrapped = (line: string) => (columns === undefined ? [line] : wrap(line, columns));
  return [
    ...wrapped(`${paint('red', label)} ${paint('bold', code)}: ${head}`),
    ...(below ? wrapped(`  ${below}`) : []),
    ...formatProblems(problems, paint, columns),
    ...(advice ? wrapped(`${paint('yellow', '建议')}: ${advice}`) : []),
    ...(hint ? wrapped(`${paint('yellow', inLanguage(hintLabel))}: ${hint}`) : []),
    ...(retry ? wrapped(retry) : []),
  ].join('\n');
}

const labels = { en: 'error', zh: '错误' };
export const hintLabel = { en: 'hint', zh: '提示' };

/** Formats an unexpected error with its stack, for maintainers. */
function formatBug(error: unknown, label: string, paint: Paint): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return [
    `${paint('red', label)} ${inLanguage(bug)}`,
    text,
    `${paint('yellow', inLanguage(hintLabel))}: ${inLanguage(reportIt)}`,
  ].join('\n');
}

const bug = { en: 'this is a bug in Landfall', zh: '这是 Landfall 的缺陷' };
const reportIt = { en: 'Report it with the lines above.', zh: '请附上以上内容报告。' };
