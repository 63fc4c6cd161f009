import { formatDuration } from '#contract/text/duration.ts';
import { formatBytes, formatRate } from '#contract/text/format-bytes.ts';
import { bar } from '#terminal/bar.ts';
import { fitText } from '#terminal/fit-text.ts';
import type { Meter } from './meter.ts';

/** The cells beside the label, for decreasing widths. `bar` is in columns. */
const layouts = [
  { bar: 24, amount: true, rate: true, left: true },
  { bar: 12, amount: true, rate: true, left: true },
  { bar: 12, amount: true, rate: false, left: true },
  { bar: 12, amount: true, rate: false, left: false },
  { bar: 12, amount: false, rate: false, left: false },
  { bar: 0, amount: false, rate: false, left: false },
] as const;

type Layout = (typeof layouts)[number];

/** Widths of the cells in columns. Two spaces precede each cell. */
const cells = { bar: 8, amount: 18, rate: 9, left: 11 } as const;
const shortestLabel = 20;
const longestLabel = 34;

/** Renders a transfer as a row of at most this many columns. */
export function transferRow(label: string, total: number, meter: Meter, columns: number): string {
  const layout = layouts.find((each) => widthBeside(each) + shortestLabel <= columns);
  if (layout === undefined) return fitText(`  ${label}`, columns).trimEnd();
  const { done, rate, isWaiting } = meter;
  const width = Math.min(longestLabel, columns - widthBeside(layout));
  const left = rate > 0 ? formatDuration((Math.max(total - done, 0) / rate) * 1000) : '';
  return [
    `  ${fitText(label, width)}`,
    ...(layout.bar > 0 ? [bar(total > 0 ? Math.min(done / total, 1) : 0, layout.bar)] : []),
    ...(layout.amount ? [cell('amount', `${formatBytes(done)} of ${formatBytes(total)}`)] : []),
    ...(layout.rate ? [cell('rate', isWaiting ? '' : formatRate(rate))] : []),
    ...(layout.left ? [cell('left', isWaiting ? 'waiting' : left)] : []),
  ]
    .join('  ')
    .trimEnd();
}

function cell(name: keyof typeof cells, text: string): string {
  return text.padStart(cells[name]).slice(0, cells[name]);
}

/** Returns the width of the indent and the cells, without the label. */
function widthBeside({ bar: columns, amount, rate, left }: Layout): number {
  return (
    2 +
    (columns > 0 ? 2 + columns + cells.bar : 0) +
    (amount ? 2 + cells.amount : 0) +
    (rate ? 2 + cells.rate : 0) +
    (left ? 2 + cells.left : 0)
  );
}
