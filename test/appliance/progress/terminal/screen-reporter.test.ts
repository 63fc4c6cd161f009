import { describe, expect, it } from 'vitest';
import { screenReporter } from '../../../../appliance/progress/terminal/screen-reporter.ts';
import { warningOf } from '../../stage/warning-of.ts';

/** A screen that records the output, and a clock that the test controls. */
function screen(isTTY: boolean) {
  const written: string[] = [];
  let now = 0;
  const write = (text: string) => written.push(text);
  const { reporter, end } = screenReporter({ isTTY, write }, () => now);
  const wait = (milliseconds: number) => {
    now += milliseconds;
  };
  return { reporter, end, written, wait };
}

/** Moves up one row and clears it. */
const above = '\u001b[1A\r\u001b[0J';
const amount = (done: number) => ({ done, total: 4e9, unit: 'bytes' }) as const;

describe('progress on a terminal', () => {
  it('is a bar that is redrawn in place', () => {
    const { reporter, end, written, wait } = screen(true);
    reporter.say('pulling qwen3:8b');
    reporter.progress(amount(1e9));
    wait(200);
    reporter.progress(amount(2e9));
    end();
    expect(written).toEqual([
      'pulling qwen3:8b\n',
      '[#######-----------------------]  25 %  1.0 GB of 4.0 GB\n',
      `${above}[###############---------------]  50 %  2.0 GB of 4.0 GB\n`,
      above,
    ]);
  });

  it('is redrawn at most ten times per second, except at the end', () => {
    const { reporter, written } = screen(true);
    for (let done = 0; done <= 4e9; done += 1e6) reporter.progress(amount(done));
    expect(written.filter((text) => text.includes('%'))).toHaveLength(2);
    expect(written.at(-1)).toContain('100 %');
  });

  it('is cleared before a line', () => {
    const { reporter, written } = screen(true);
    reporter.progress(amount(1e9));
    reporter.warn(warningOf('the line is slow'));
    const [drawn = '', told] = written;
    expect(told).toBe(`${above}warning: the line is slow\n${drawn}`);
  });
});

describe('progress without a terminal', () => {
  it('is a line from time to time, without control characters', () => {
    const { reporter, end, written, wait } = screen(false);
    reporter.say('pulling\u001b[31m qwen3:8b');
    reporter.progress(amount(1e9));
    wait(1000);
    reporter.progress(amount(2e9));
    wait(15_000);
    reporter.progress(amount(3e9));
    end();
    expect(written).toEqual(['pulling qwen3:8b\n', '1.0 GB of 4.0 GB\n', '3.0 GB of 4.0 GB\n']);
  });

  it('ignores invalid amounts', () => {
    const { reporter, written } = screen(false);
    reporter.progress({ done: 1, total: 0, unit: 'bytes' });
    reporter.progress({ done: Number.NaN, total: 1, unit: 'bytes' });
    expect(written).toEqual([]);
  });
});
