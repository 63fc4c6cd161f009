import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { chooseReporter, silentReporter } from '../../../../builder/base/progress/reporter.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function screen(isTTY: boolean) {
  const stream = Object.assign(new PassThrough(), { isTTY, columns: 120, rows: 40 });
  return { stream, text: () => String(stream.read() ?? '') };
}

describe('the reporter of a command', () => {
  it('chooses a silent reporter for --quiet and --json', () => {
    const { stream } = screen(true);
    expect(chooseReporter({ stderr: stream, env: {} }, { quiet: true })).toBe(silentReporter);
    expect(chooseReporter({ stderr: stream, env: {} }, { json: true })).toBe(silentReporter);
  });

  it.each([
    ['a pipe', false, {}],
    ['a dumb terminal', true, { TERM: 'dumb' }],
    ['CI', true, { CI: 'true' }],
  ])('prints plain lines on %s', (_what, isTTY, env) => {
    const { stream, text } = screen(isTTY);
    const reporter = chooseReporter({ stderr: stream, env }, {});
    reporter.step('fetching');
    reporter.note('a retry');
    const quick = reporter.transfer('small', 10);
    quick.advance(10);
    quick.end();
    const slow = reporter.transfer('large', 4e6);
    vi.advanceTimersByTime(2000);
    slow.advance(4e6);
    slow.end();
    reporter.close();
    expect(text()).toBe('fetching\n  a retry\n  large: 4.0 MB in 2.0 s (2.0 MB/s)\n');
  });

  it('shows rows on a terminal', () => {
    const { stream, text } = screen(true);
    const reporter = chooseReporter({ stderr: stream, env: {} }, {});
    reporter.step('fetching');
    reporter.note('a retry');
    const transfer = reporter.transfer('engine layer', 2e6);
    transfer.advance(1e6);
    vi.advanceTimersByTime(100);
    transfer.end();
    reporter.close();
    expect(text()).toMatch(
      // biome-ignore lint/suspicious/noControlCharactersInRegex: rows are removed with control sequences.
      /^\x1b\[1mfetching\x1b\[22m\n {2}a retry\n {2}engine layer .* 50 % .*\n\x1b\[1A\r\x1b\[0J$/,
    );
  });

  it('shows rows without colour for NO_COLOR', () => {
    const { stream, text } = screen(true);
    chooseReporter({ stderr: stream, env: { NO_COLOR: '1' } }, {}).step('fetching');
    expect(text()).toBe('fetching\n');
  });
});
