import { say } from '#contract/text/language.ts';
import { LiveRows } from './live-rows.ts';
import { Meter } from './meter.ts';
import { progressRow, type Work } from './progress-row.ts';
import { roomOn, type Screen } from './screen.ts';

/** Milliseconds between redraws. */
const pause = 100;

/** Lines that scroll, and below them a row for all running work. */
export class LiveProgress {
  readonly #screen: Screen;
  readonly #live: LiveRows;
  readonly #running = new Set<Meter>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(screen: Screen) {
    this.#screen = screen;
    this.#live = new LiveRows(screen);
  }

  /** Prints a line above the rows. */
  print(line: string): void {
    this.#live.print(line);
  }

  /** Shows work in a row, until the end of the returned meter. */
  start(work: Work): Meter {
    const meter = new Meter(work, () => {
      this.#running.delete(meter);
      if (this.#running.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
      this.#live.draw([]);
    });
    if (this.#isClosed) return meter;
    this.#running.add(meter);
    // unref: redrawing alone must not keep the process alive.
    this.#timer ??= setInterval(() => this.#live.draw(this.#rows()), pause).unref();
    return meter;
  }

  /** Removes the rows. Work that starts later has none. */
  close(): void {
    this.#isClosed = true;
    for (const meter of this.#running) meter.end();
  }

  /** Returns the rows that fit on the screen, and the number of hidden ones. */
  #rows(): string[] {
    const { columns, rows } = roomOn(this.#screen);
    const all = [...this.#running].map((work) => progressRow(work, columns));
    if (all.length <= rows) return all;
    const hidden = all.length - rows + 1;
    const last = say(`  … and ${hidden} more`, `  … 还有 ${hidden} 项`);
    return [...all.slice(0, rows - 1), last];
  }
}
