import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { displayWidth } from '#contract/text/display-width.ts';
import { Meter } from '../../../builder/progress/meter.ts';
import { transferRow } from '../../../builder/progress/transfer-row.ts';

const label = 'ghcr.io/open-webui/open-webui:v0.11.4 0123456789ab';
/** All cells at their maximum width. */
let meter: Meter;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  meter = new Meter(() => {});
  vi.advanceTimersByTime(1000);
  meter.advance(55.5e6);
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a transfer as a row', () => {
  it('shows progress, rate and remaining time', () => {
    expect(transferRow('reading', 111e6, meter, 119)).toBe(
      `  reading${' '.repeat(27)}  [############------------]  50 %   55.5 MB of 111 MB  55.5 MB/s        1.0 s`,
    );
  });

  it.each([20, 40, 60, 79, 99, 119, 200])('fits into %d columns', (columns) => {
    const row = transferRow(label, 99.9e9, meter, columns);
    expect(displayWidth(row)).toBeLessThanOrEqual(columns);
    expect(row).toContain('…');
  });

  it('drops cells for a readable label on narrow terminals', () => {
    expect(transferRow(label, 99.9e9, meter, 99)).toMatch(/MB of .* MB\/s +29 min/);
    expect(transferRow(label, 99.9e9, meter, 79)).toMatch(/MB of 99\.9 GB +29 min/);
    expect(transferRow(label, 99.9e9, meter, 60)).toMatch(/0 %$/);
    for (const columns of [60, 79, 99]) {
      expect(transferRow(label, 99.9e9, meter, columns)).toMatch(/^ {2}\S{9,}….{9,} {2}\[/);
    }
  });

  it('shows that it waits instead of the remaining time', async () => {
    const other = Promise.withResolvers<void>();
    const waiting = meter.waitFor(other.promise);
    const row = transferRow('writing amd64', 111e6, meter, 119);
    expect(row).toMatch(/ waiting$/);
    expect(row).not.toContain('/s');
    other.resolve();
    await waiting;
  });

  it('accepts an empty file, and one that is longer than declared', () => {
    expect(transferRow('reading', 0, new Meter(() => {}), 119)).toContain('0 B of 0 B');
    expect(transferRow('reading', 1e6, meter, 119)).toContain('100 %');
  });
});
