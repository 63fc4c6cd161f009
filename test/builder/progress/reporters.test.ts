import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { chooseReporter } from '../../../builder/progress/choose-reporter.ts';
import { liveReporter } from '../../../builder/progress/live-reporter.ts';
import { plainReporter } from '../../../builder/progress/plain-reporter.ts';
import { silentReporter } from '../../../builder/progress/reporter.ts';
import { styleFor } from '../../../builder/progress/style.ts';
import { Terminal } from '../../appliance/terminal/terminal.ts';

function screen(isTTY: boolean) {
  const stream = Object.assign(new PassThrough(), { isTTY, columns: 120, rows: 40 });
  return { stream, text: () => String(stream.read() ?? '') };
}

describe('a log reporter', () => {
  it('prints one line per event, without colour or redraws', () => {
    const { stream, text } = screen(false);
    const reporter = plainReporter(stream);
    reporter.step('fetching');
    reporter.note('a retry');
    reporter.close();
    expect(text()).toBe('fetching\n  a retry\n');
  });

  it('prints long transfers only', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const { stream, text } = screen(false);
      const reporter = plainReporter(stream);
      const quick = reporter.transfer('small', 10);
      quick.advance(10);
      quick.end();
      const slow = reporter.transfer('large', 4e6);
      vi.advanceTimersByTime(2000);
      slow.advance(4e6);
      slow.end();
      expect(text()).toBe('  large: 4.0 MB in 2.0 s (2.0 MB/s)\n');
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a terminal reporter', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const plain = (_format: string, text: string) => text;

  it('shows a row for a transfer below steps and notes, and removes it at the end', () => {
    const terminal = new Terminal(120, 40);
    const reporter = liveReporter(terminal, plain);
    reporter.step('fetching');
    const transfer = reporter.transfer('engine layer', 2e6);
    transfer.advance(1e6);
    vi.advanceTimersByTime(1000);
    reporter.note('a retry');
    expect(terminal.lines()).toEqual([
      'fetching',
      '  a retry',
      expect.stringMatching(/engine layer .*50 % +1\.0 MB of 2\.0 MB +\d.* [kM]B\/s/),
    ]);
    transfer.end();
    expect(terminal.lines()).toEqual(['fetching', '  a retry']);
  });

  it('limits the rows to the height of the terminal', () => {
    const terminal = new Terminal(80, 5);
    const reporter = liveReporter(terminal, plain);
    for (let count = 0; count < 12; count += 1) reporter.transfer(`layer ${count}`, 1e6);
    vi.advanceTimersByTime(1000);
    expect(terminal.lines()).toHaveLength(4);
    expect(terminal.lines().at(-1)).toBe('  … and 9 more');
    expect(terminal.scrolled()).toBe(0);
  });

  it('draws nothing after it was closed', () => {
    const terminal = new Terminal(80, 5);
    const reporter = liveReporter(terminal, plain);
    const transfer = reporter.transfer('engine layer', 2e6);
    vi.advanceTimersByTime(1000);
    reporter.close();
    transfer.advance(1e6);
    transfer.end();
    reporter.transfer('another', 1e6);
    vi.advanceTimersByTime(1000);
    expect(terminal.lines()).toEqual(['']);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('the reporter of a command', () => {
  const env = {};
  it('is silent for --quiet and --json', () => {
    const { stream } = screen(true);
    expect(chooseReporter({ stderr: stream, env }, { quiet: true })).toBe(silentReporter);
    expect(chooseReporter({ stderr: stream, env }, { json: true })).toBe(silentReporter);
  });

  it.each([
    ['a pipe', false, {}],
    ['a dumb terminal', true, { TERM: 'dumb' }],
    ['CI', true, { CI: 'true' }],
  ])('prints plain lines on %s', (_what, isTTY, environment) => {
    const { stream, text } = screen(isTTY);
    chooseReporter({ stderr: stream, env: environment }, {}).note('x');
    expect(text()).toBe('  x\n');
  });
});

describe('colour', () => {
  it('is used on terminals', () => {
    expect(styleFor(screen(true).stream, {})('red', 'x')).not.toBe('x');
    expect(styleFor(screen(false).stream, {})('red', 'x')).toBe('x');
  });

  it('is disabled by NO_COLOR with any value', () => {
    expect(styleFor(screen(true).stream, { NO_COLOR: '1' })('red', 'x')).toBe('x');
  });
});
