import { LiveRows } from '#terminal/live-rows.ts';
import { roomOn, type Screen } from '#terminal/screen.ts';
import { Meter } from './meter.ts';
import type { Reporter } from './reporter.ts';
import type { Style } from './style.ts';
import { transferRow } from './transfer-row.ts';

/** Milliseconds between two drawings. */
const pause = 100;

interface Row {
  readonly label: string;
  readonly total: number;
  readonly meter: Meter;
}

/** For terminals: steps and notes scroll, each running transfer is a row below them. */
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
      // Drawing keeps no program alive that has nothing else to do.
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

/** As many rows as there is room for, and how many there are besides. */
function rowsFor(running: readonly Row[], screen: Screen): string[] {
  const { columns, rows } = roomOn(screen);
  const shown = running.length <= rows ? running : running.slice(0, rows - 1);
  const hidden = running.length - shown.length;
  return [
    ...shown.map(({ label, total, meter }) => transferRow(label, total, meter, columns)),
    ...(hidden > 0 ? [`  … and ${hidden} more`] : []),
  ];
}
