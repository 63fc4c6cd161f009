import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayWidth } from '#contract/text/display-width.ts';
import { fitText, progressRow, type Work } from '#terminal/progress-row.ts';

const label = 'ghcr.io/open-webui/open-webui:v0.12.4 0123456789ab';
/** All cells have their maximum width. */
const work = (rest: Partial<Work> = {}): Work => ({
  done: 55.5e6,
  total: 111e6,
  unit: 'bytes',
  rate: 55.5e6,
  ...rest,
});

describe('work as a row', () => {
  it('shows the bar, the amount, the rate and the remaining time', () => {
    expect(progressRow(work({ label: 'reading' }), 119)).toBe(
      `  reading${' '.repeat(27)}  [############------------]  50 %   55.5 MB of 111 MB  55.5 MB/s        1.0 s`,
    );
  });

  it('needs no label', () => {
    expect(progressRow(work(), 79)).toBe(
      '[############------------]  50 %   55.5 MB of 111 MB  55.5 MB/s        1.0 s',
    );
  });

  it('shows only the amount of work without a rate', () => {
    const pulled = { done: 1.2e9, total: 4.3e9, unit: 'bytes' } as const;
    expect(progressRow(pulled, Number.POSITIVE_INFINITY)).toBe(
      '[######------------------]  27 %    1.2 GB of 4.3 GB',
    );
    expect(progressRow(work({ done: 3, total: 15, unit: 'tests' }), 79)).toBe(
      '[####--------------------]  20 %       3 of 15 tests',
    );
  });

  it.each([
    [0, '[------------------------]   0 %'],
    [0.5, '[############------------]  50 %'],
    [0.999, '[#######################-]  99 %'],
    [1, '[########################] 100 %'],
  ])('rounds the bar down: %d', (done, bar) => {
    expect(progressRow({ done, total: 1, unit: 'bytes' }, 119)).toContain(`${bar} `);
  });
});

describe('the row on a narrow terminal', () => {
  const slow = (rest: Partial<Work>) => work({ total: 99.9e9, ...rest });

  it.each([1, 10, 19, 20, 40, 60, 79, 99, 119, 200])('fits into %d columns', (columns) => {
    const row = progressRow(slow({ label }), columns);
    expect(displayWidth(row)).toBeLessThanOrEqual(columns);
    expect(row).toContain('…');
    expect(displayWidth(progressRow(slow({}), columns))).toBeLessThanOrEqual(columns);
  });

  it('drops cells for a readable label', () => {
    expect(progressRow(slow({ label }), 99)).toMatch(/MB of .* MB\/s +29 min/);
    expect(progressRow(slow({ label }), 79)).toMatch(/MB of 99\.9 GB +29 min/);
    expect(progressRow(slow({ label }), 60)).toMatch(/0 %$/);
    for (const columns of [60, 79, 99]) {
      expect(progressRow(slow({ label }), columns)).toMatch(/^ {2}\S{9,}….{9,} {2}\[/);
    }
  });

  it('drops cells instead of cutting them', () => {
    expect(progressRow(slow({}), 60)).toMatch(/^\[-{12}\] {3}0 % .* of 99\.9 GB +29 min/);
    expect(progressRow(slow({}), 39)).toBe('[------------]   0 %');
  });
});

describe('the remaining time', () => {
  it('replaces the remaining time while the work waits', () => {
    const row = progressRow(work({ isWaiting: true }), 119);
    expect(row).toMatch(/ waiting$/);
    expect(row).not.toContain('/s');
  });

  it('omits the remaining time after the last byte, also of an empty or longer file', () => {
    expect(progressRow(work({ done: 111e6 }), 119)).toMatch(/ 111 MB of 111 MB$/);
    expect(progressRow(work({ done: 0, total: 0 }), 119)).toMatch(/ 0 B of 0 B$/);
    expect(progressRow(work({ total: 1e6 }), 119)).toContain('100 %');
  });
});

describe('fitText', () => {
  it('pads with spaces', () => {
    expect(fitText('ui', 4)).toBe('ui  ');
  });

  it('removes the middle, because both ends identify a text', () => {
    expect(fitText('ghcr.io/open-webui/open-webui:v0.12.4 0123456789ab', 20)).toBe(
      'ghcr.io/o…23456789ab',
    );
  });

  it('removes control characters', () => {
    expect(fitText('a\x1b[2J\r\nb', 10)).toBe('a [2J  b  ');
  });

  it('always returns the given width', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'é', '模', '\n'), maxLength: 80, size: 'max' }),
        fc.integer({ min: 1, max: 60 }),
        (text, columns) => {
          expect(displayWidth(fitText(text, columns))).toBe(columns);
        },
      ),
    );
  });
});
