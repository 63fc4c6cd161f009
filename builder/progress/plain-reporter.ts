import { formatDuration } from '#contract/text/duration.ts';
import { formatBytes, formatRate } from '#contract/text/format-bytes.ts';
import { Meter } from './meter.ts';
import type { Reporter } from './reporter.ts';

/** Shorter transfers get no line in a log. */
const quietSeconds = 1;

/** For logs and pipes: one line per event, no redraws. */
export function plainReporter(stream: NodeJS.WritableStream): Reporter {
  const line = (text: string) => stream.write(`${text}\n`);
  return {
    step: (title) => line(title),
    note: (text) => line(`  ${text}`),
    transfer: (label) => new Meter((meter) => mention(label, meter, line)),
    close() {},
  };
}

function mention(
  label: string,
  { moved, seconds, rate }: Meter,
  line: (text: string) => void,
): void {
  if (seconds < quietSeconds) return;
  const time = formatDuration(seconds * 1000);
  line(`  ${label}: ${formatBytes(moved)} in ${time} (${formatRate(rate)})`);
}
