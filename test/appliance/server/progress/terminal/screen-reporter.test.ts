import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { screenReporter } from '../../../../../appliance/server/progress/terminal/screen-reporter.ts';
import { Terminal } from '../../../shared/terminal/terminal.ts';
import { foundWarning } from '../../stage/warning-of.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const amount = (done: number) => ({ done, total: 4e9, unit: 'bytes' }) as const;

describe('progress on a terminal', () => {
  function screen() {
    const terminal = new Terminal();
    return { terminal, ...screenReporter(terminal, {}) };
  }

  it('redraws a progress row in place, with the rate and the remaining time', () => {
    const { terminal, reporter, end } = screen();
    reporter.say('pulling qwen3:8b');
    reporter.progress(amount(1e9));
    vi.advanceTimersByTime(10_000);
    reporter.progress(amount(2e9));
    reporter.say('a retry');
    vi.advanceTimersByTime(10_000);
    expect(terminal.lines()).toEqual([
      'pulling qwen3:8b',
      'a retry',
      '[############------------]  50 %    2.0 GB of 4.0 GB  50.0 MB/s         40 s',
    ]);
    end();
    expect(terminal.lines()).toEqual(['pulling qwen3:8b', 'a retry']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('follows a total that grows, as layers are announced one after another', () => {
    const { terminal, reporter } = screen();
    reporter.progress(amount(1e9));
    reporter.progress({ ...amount(2e9), total: 8e9 });
    vi.advanceTimersByTime(1000);
    expect(terminal.lines()).toEqual([expect.stringMatching(/ 25 % .* 2\.0 GB of 8\.0 GB /)]);
  });

  it('starts again after an attempt that is smaller', () => {
    const { terminal, reporter } = screen();
    reporter.progress(amount(3e9));
    vi.advanceTimersByTime(1000);
    reporter.progress(amount(1e9));
    reporter.progress(amount(2e9));
    vi.advanceTimersByTime(1000);
    expect(terminal.lines()).toEqual([
      expect.stringMatching(/ 2\.0 GB of 4\.0 GB +1\.0 GB\/s +2\.0 s$/),
    ]);
  });

  it('shows other units without a rate', () => {
    const { terminal, reporter } = screen();
    reporter.progress({ done: 1, total: 5, unit: 'services' });
    reporter.progress({ done: 2, total: 5, unit: 'services' });
    vi.advanceTimersByTime(1000);
    expect(terminal.lines()).toEqual([expect.stringMatching(/ 40 % +2 of 5 services$/)]);
  });

  it('stays below warnings', () => {
    const { terminal, reporter } = screen();
    reporter.progress(amount(1e9));
    vi.advanceTimersByTime(100);
    reporter.warn(foundWarning('the line is slow'));
    expect(terminal.lines()).toEqual([
      'warning: the line is slow',
      expect.stringContaining('25 %'),
    ]);
  });
});

describe.each([
  ['without a terminal', false, {}],
  ['on a terminal without cursor movement', true, { TERM: 'dumb' }],
])('progress %s', (_what, isTTY, env) => {
  function log() {
    const written: string[] = [];
    const write = (text: string) => written.push(text);
    return { written, ...screenReporter({ isTTY, write }, env) };
  }

  it('prints a line of progress from time to time, without control characters', () => {
    const { reporter, end, written } = log();
    reporter.say('pulling\u001b[31m qwen3:8b');
    reporter.progress(amount(1e9));
    vi.advanceTimersByTime(1000);
    reporter.progress(amount(2e9));
    vi.advanceTimersByTime(15_000);
    reporter.progress(amount(3e9));
    end();
    expect(written).toEqual(['pulling qwen3:8b\n', '1.0 GB of 4.0 GB\n', '3.0 GB of 4.0 GB\n']);
  });

  it('ends with the whole amount', () => {
    const { reporter, written } = log();
    for (const done of [1e9, 4e9, 4e9]) reporter.progress(amount(done));
    expect(written).toEqual(['1.0 GB of 4.0 GB\n', '4.0 GB of 4.0 GB\n']);
  });

  it('ignores invalid amounts', () => {
    const { reporter, written } = log();
    reporter.progress({ done: 1, total: 0, unit: 'bytes' });
    reporter.progress({ done: Number.NaN, total: 1, unit: 'bytes' });
    expect(written).toEqual([]);
  });
});
