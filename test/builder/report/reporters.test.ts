import { PassThrough } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { chooseReporter } from '../../../builder/report/choose-reporter.ts';
import { liveReporter } from '../../../builder/report/live-reporter.ts';
import { plainReporter } from '../../../builder/report/plain-reporter.ts';
import { silentReporter } from '../../../builder/report/reporter.ts';
import { styleFor } from '../../../builder/report/style.ts';

function screen(isTTY: boolean) {
  const stream = Object.assign(new PassThrough(), { isTTY, columns: 120, rows: 40 });
  return { stream, text: () => String(stream.read() ?? '') };
}

describe('a report into a log', () => {
  it('is one line an event, without colour or movement', () => {
    const { stream, text } = screen(false);
    const reporter = plainReporter(stream);
    reporter.step('fetching');
    reporter.note('a retry');
    reporter.close();
    expect(text()).toBe('fetching\n  a retry\n');
  });

  it('mentions a transfer that took its time, and no other', () => {
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

describe('a report on a terminal', () => {
  it('shows a row for a transfer with amount and rate, and takes it away at the end', async () => {
    const { stream, text } = screen(true);
    const reporter = liveReporter(stream as unknown as NodeJS.WriteStream, (_format, t) => t);
    reporter.step('fetching');
    const transfer = reporter.transfer('engine layer', 2e6);
    transfer.advance(1e6);
    await vi.waitFor(() => {
      const shown = text();
      expect(shown).toContain('engine layer');
      expect(shown).toMatch(/1\.0 MB of 2\.0 MB/);
      expect(shown).toContain('/s');
    }, 30_000);
    transfer.end();
    reporter.close();
  });
});

describe('which report a command gives', () => {
  const env = {};
  it('is none for --quiet and --json', () => {
    const { stream } = screen(true);
    expect(chooseReporter({ stderr: stream, env }, { quiet: true })).toBe(silentReporter);
    expect(chooseReporter({ stderr: stream, env }, { json: true })).toBe(silentReporter);
  });

  it.each([
    ['a pipe', false, {}],
    ['a dumb terminal', true, { TERM: 'dumb' }],
    ['CI', true, { CI: 'true' }],
  ])('is plain lines on %s', (_what, isTTY, environment) => {
    const { stream, text } = screen(isTTY);
    chooseReporter({ stderr: stream, env: environment }, {}).note('x');
    expect(text()).toBe('  x\n');
  });
});

describe('colour', () => {
  it('is for terminals', () => {
    expect(styleFor(screen(true).stream, {})('red', 'x')).not.toBe('x');
    expect(styleFor(screen(false).stream, {})('red', 'x')).toBe('x');
  });

  it('is off with NO_COLOR, whatever its value', () => {
    expect(styleFor(screen(true).stream, { NO_COLOR: '1' })('red', 'x')).toBe('x');
  });
});
