import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LiveProgress } from '#terminal/live-progress.ts';
import { Terminal } from './terminal.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function live(columns: number, rows: number) {
  const terminal = new Terminal(columns, rows);
  const progress = new LiveProgress(terminal);
  const start = (label: string) => progress.start({ label, done: 0, total: 2e6, unit: 'bytes' });
  return { terminal, progress, start };
}

describe('live progress', () => {
  it('shows a row for running work below the lines, until its end', () => {
    const { terminal, progress, start } = live(120, 40);
    progress.print('fetching');
    const work = start('engine layer');
    work.advance(1e6);
    vi.advanceTimersByTime(1000);
    progress.print('a retry');
    expect(terminal.lines()).toEqual([
      'fetching',
      'a retry',
      expect.stringMatching(/engine layer .*50 % +1\.0 MB of 2\.0 MB +1\.0 MB\/s +1\.0 s$/),
    ]);
    work.end();
    expect(terminal.lines()).toEqual(['fetching', 'a retry']);
  });

  it('limits the rows to the height of the terminal', () => {
    const { terminal, start } = live(80, 5);
    for (let count = 0; count < 12; count += 1) start(`layer ${count}`);
    vi.advanceTimersByTime(1000);
    expect(terminal.lines()).toHaveLength(4);
    expect(terminal.lines().at(-1)).toBe('  … and 9 more');
    expect(terminal.scrolled()).toBe(0);
  });

  it('draws at most ten times per second', () => {
    const write = vi.fn();
    const progress = new LiveProgress({ isTTY: true, write });
    const work = progress.start({ done: 0, total: 5000, unit: 'bytes' });
    for (let count = 0; count < 1000; count += 1) {
      work.advance(1);
      vi.advanceTimersByTime(1);
    }
    expect(write).toHaveBeenCalledTimes(10);
  });

  it('draws nothing after it was closed', () => {
    const { terminal, progress, start } = live(80, 5);
    const work = start('engine layer');
    vi.advanceTimersByTime(1000);
    progress.close();
    work.advance(1e6);
    work.end();
    start('another');
    vi.advanceTimersByTime(1000);
    expect(terminal.lines()).toEqual(['']);
    expect(vi.getTimerCount()).toBe(0);
  });
});
