import {
  type Amount,
  formatAmount,
  formatDuration,
  formatPercentage,
  formatRate,
  fraction,
} from '#contract/text/amount.ts';
import { displayWidth, startWithin } from '#contract/text/display-width.ts';
import { say } from '#contract/text/language.ts';

/** Work whose progress is shown. */
export interface Work extends Omit<Amount, 'unit'> {
  readonly unit: Amount['unit'] | 'chats';
  readonly label?: string | undefined;
  /** Units per second; shown for bytes. */
  readonly rate?: number;
  /** The work waits for other work. */
  readonly isWaiting?: boolean;
}

/** Widths of the cells beside the bar, in columns. */
const widths = { amount: 18, rate: 9, left: 11 } as const;
const labelWidths = { least: 20, most: 34 } as const;

/** Width of the bar, and the cells beside it, for decreasing numbers of columns. */
const layouts: ReadonlyArray<readonly [bar: number, ...cells: (keyof typeof widths)[]]> = [
  [24, 'amount', 'rate', 'left'],
  [12, 'amount', 'rate', 'left'],
  [12, 'amount', 'left'],
  [12, 'amount'],
  [12],
];

/**
 * Renders work as a row of at most this many columns: the indented label, a bar, the amount, the rate
 * and the remaining time.
 */
export function progressRow(work: Work, columns: number): string {
  const { label } = work;
  for (const [bar, ...names] of layouts) {
    const cells = names.map((name) => padded(textOf(name, work), widths[name]));
    const row = [renderBar(work, bar), ...cells].join('  ');
    const room = columns - displayWidth(row);
    if (label === undefined && room >= 0) return row.trimEnd();
    const width = Math.min(room - 4, labelWidths.most);
    if (label !== undefined && width >= labelWidths.least) {
      return `  ${fitText(label, width)}  ${row}`.trimEnd();
    }
  }
  return fitText(label === undefined ? formatAmount(work) : `  ${label}`, columns).trimEnd();
}

/** Pads a cell on its left, or shortens it, to this many columns. */
function padded(text: string, columns: number): string {
  const start = startWithin(text, columns);
  return ' '.repeat(columns - displayWidth(start)) + start;
}

/** Renders a bar with its percentage in ASCII for any console: `[########----]  67 %`. */
function renderBar(work: Work, width: number): string {
  const bar = '#'.repeat(fraction(work) * width).padEnd(width, '-');
  return `[${bar}] ${formatPercentage(work).padStart(5)}`;
}

function textOf(cell: keyof typeof widths, work: Work): string {
  const { done, total, unit, rate, isWaiting } = work;
  if (cell === 'amount') return formatAmount(work);
  if (isWaiting) return cell === 'left' ? say('waiting', '等待') : '';
  if (unit !== 'bytes' || rate === undefined || done >= total) return '';
  if (cell === 'rate') return formatRate(rate);
  return rate > 0 ? formatDuration(((total - done) / rate) * 1000) : '';
}

/** Control characters move the cursor, so a row with one would have the wrong width. */
const control = /\p{Cc}/gu;

/** Pads or shortens a text to this many columns. Cuts the middle, because both ends identify it. */
export function fitText(text: string, columns: number): string {
  const plain = text.replace(control, ' ');
  const pad = (shown: string) => shown + ' '.repeat(Math.max(0, columns - displayWidth(shown)));
  if (displayWidth(plain) <= columns) return pad(plain);
  const head = startWithin(plain, Math.floor((columns - 1) / 2));
  const tail = startWithin(backwards(plain), columns - 1 - displayWidth(head));
  return pad(`${head}…${backwards(tail)}`);
}

function backwards(text: string): string {
  return [...text].reverse().join('');
}
