import { LiveRows } from '#terminal/live-rows.ts';
import { roomOn, type Screen } from '#terminal/screen.ts';
import { Meter } from './meter.ts';
import type { Reporter } from './reporter.ts';
import type { Style } from './style.ts';
import { transferRow } from './transfer-row.ts';

/** Milliseconds between redraws. */
const pause = 100;

interface Row {
  readonly label: string;
  readonly total: number;
  readonly meter: Meter;
}

/** For terminals: steps and notes scroll, and each running transfer has a row below them. */
export function liveReporter(screen: Screen, style: Style): Reporter {
  const live = new LiveRows(screen);
  const running = new Map<Meter, Row>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
    live.clear();
  };
  const draw = () => live.draw(rowsFor([...running.values()], screen));
  return {
    step: (title) => live.print(style('bold', title)),
    note: (text) => live.print(`  ${text}`),
    transfer(label, total) {
      const meter = new Meter(() => {
        running.delete(meter);
        if (running.size === 0) stop();
      });
      if (isClosed) return meter;
      running.set(meter, { label, total, meter });
      // unref: redrawing alone must not keep the process alive.
      timer ??= setInterval(draw, pause).unref();
      return meter;
    },
    close() {
      isClosed = true;
      running.clear();
      stop();
    },
  };
}

/** Returns the rows that fit on the screen, and the number of hidden ones. */
function rowsFor(running: readonly Row[], screen: Screen): string[] {
  const { columns, rows } = roomOn(screen);
  const shown = running.length <= rows ? running : running.slice(0, rows - 1);
  const hidden = running.length - shown.length;
  return [
    ...shown.map(({ label, total, meter }) => transferRow(label, total, meter, columns)),
    ...(hidden > 0 ? [`  … and ${hidden} more`] : []),
  ];
}
