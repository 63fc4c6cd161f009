import { MultiBar, type Options, type Params } from 'cli-progress';
import { formatBytes, formatSeconds } from './format.ts';
import type { Reporter } from './reporter.ts';
import type { Style } from './style.ts';

const barColumns = 24;
const labelColumns = 34;

/** For terminals: steps and notes scroll, each running transfer is a row below them. */
export function liveReporter(stream: NodeJS.WriteStream, style: Style): Reporter {
  const bars = new MultiBar({
    stream,
    clearOnComplete: true,
    hideCursor: true,
    fps: 10,
    etaBuffer: 50,
    linewrap: false,
    format: (options, params, payload) => row(options, params, payload.label, style),
  });
  let running = 0;
  const line = (text: string) => {
    // The library prints lines above its rows; without rows it would hold them back.
    if (running > 0) bars.log(`${text}\n`);
    else stream.write(`${text}\n`);
  };
  return {
    step: (title) => line(style('bold', title)),
    note: (text) => line(`  ${text}`),
    transfer(label, total) {
      const bar = bars.create(total, 0, { label });
      running += 1;
      return {
        advance: (bytes) => bar.increment(bytes),
        end() {
          running -= 1;
          bars.remove(bar);
        },
      };
    },
    close: () => bars.stop(),
  };
}

function row(_options: Options, params: Params, label: string, style: Style): string {
  const { value, total, progress, startTime } = params;
  const done = Math.round(Math.min(progress, 1) * barColumns);
  const bar = style('green', '█'.repeat(done)) + style('dim', '░'.repeat(barColumns - done));
  const seconds = Math.max((Date.now() - startTime) / 1000, 0.001);
  const rate = value / seconds;
  const left = rate > 0 ? formatSeconds((total - value) / rate) : '';
  const amount = `${formatBytes(value)} of ${formatBytes(total)}`.padStart(20);
  return `  ${shorten(label)} ${bar} ${amount}  ${formatBytes(rate)}/s  ${left}`;
}

function shorten(label: string): string {
  const short = label.length > labelColumns ? `${label.slice(0, labelColumns - 1)}…` : label;
  return short.padEnd(labelColumns);
}
