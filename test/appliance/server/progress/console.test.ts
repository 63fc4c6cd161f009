import { describe, expect, it } from 'vitest';
import { consoleLines } from '../../../../appliance/server/progress/console.ts';
import { statusOf } from './status-of.ts';

function consoleOf() {
  const lines: string[] = [];
  return { lines, tell: consoleLines((line) => lines.push(line)) };
}

describe('consoleLines', () => {
  it('shows the start and the result of each stage', () => {
    const { lines, tell } = consoleOf();
    tell(statusOf('preflight'), 'stage');
    tell(statusOf('route'), 'stage');
    expect(lines).toEqual([
      '[ 1/15]   preflight: for a test',
      '[ 1/15]   preflight: done (1.2 s)',
      '[ 2/15]   route: for a test',
    ]);
  });

  it('does not repeat lines', () => {
    const { lines, tell } = consoleOf();
    tell(statusOf('preflight'), 'stage');
    tell(statusOf('preflight'), 'stage');
    expect(lines).toHaveLength(1);
  });

  it('shows the current action', () => {
    const { lines, tell } = consoleOf();
    tell(statusOf('runtime', 'running', { line: 'installing docker.io' }), 'line');
    expect(lines).toEqual(['          installing docker.io']);
  });

  it('highlights a failed stage', () => {
    const { lines, tell } = consoleOf();
    tell(statusOf('images', 'failed'), 'stage');
    expect(lines.at(-1)).toBe('[ 9/15]   images: FAILED');
  });

  it('shows progress from time to time', () => {
    const { lines, tell } = consoleOf();
    const at = (seconds: number, done: number) =>
      tell(
        statusOf('images', 'running', {
          updated: new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString(),
          progress: { done, total: 4e9, unit: 'bytes' },
        }),
        'progress',
      );
    at(0, 0);
    for (let second = 1; second <= 31; second += 1) at(second, second * 1e8);
    expect(lines.map((line) => line.trim())).toEqual([
      '0 B of 4.0 GB',
      '1.5 GB of 4.0 GB',
      '3.0 GB of 4.0 GB',
    ]);
  });

  it('does not repeat unchanged progress', () => {
    const { lines, tell } = consoleOf();
    const progress = { done: 1, total: 2, unit: 'services' } as const;
    for (let minute = 0; minute < 10; minute += 1) {
      const updated = new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
      tell(statusOf('stack', 'running', { updated, progress }), 'progress');
    }
    expect(lines).toEqual(['          1 of 2 services']);
  });

  it('writes no escape sequences', () => {
    const { lines, tell } = consoleOf();
    tell(statusOf(undefined), 'stage');
    expect(lines.join('\n')).not.toContain('\x1b');
    expect(lines).toHaveLength(15);
  });
});
