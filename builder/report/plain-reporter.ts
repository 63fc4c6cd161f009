import { formatBytes, formatSeconds } from './format.ts';
import type { Reporter, Transfer } from './reporter.ts';

/** Transfers shorter than this are not worth a line in a log. */
const quietSeconds = 1;

/** For logs and pipes: one line an event, nothing that moves. */
export function plainReporter(stream: NodeJS.WritableStream): Reporter {
  const line = (text: string) => stream.write(`${text}\n`);
  return {
    step: (title) => line(title),
    note: (text) => line(`  ${text}`),
    transfer: (label) => timedTransfer(label, line),
    close() {},
  };
}

function timedTransfer(label: string, line: (text: string) => void): Transfer {
  const started = performance.now();
  let moved = 0;
  return {
    advance(bytes) {
      moved += bytes;
    },
    end() {
      const seconds = (performance.now() - started) / 1000;
      if (seconds < quietSeconds) return;
      const rate = `${formatBytes(moved / seconds)}/s`;
      line(`  ${label}: ${formatBytes(moved)} in ${formatSeconds(seconds)} (${rate})`);
    },
  };
}
