import { describe, expect, it } from 'vitest';
import {
  type ExpectedTimes,
  expectedTimes,
} from '../../../../appliance/progress/page/expected-times.ts';
import { remainingTime } from '../../../../appliance/progress/page/remaining-time.ts';
import type { Status } from '../../../../appliance/progress/status.ts';
import { type StageName, stageNames } from '../../../../appliance/stage/stage.ts';
import { statusOf } from '../status-of.ts';

const began = Date.parse(statusOf('images').started);

/** 10 seconds for each stage, unless given in seconds. */
function times(seconds: Partial<Record<StageName, number>> = {}): ExpectedTimes {
  return Object.fromEntries(
    stageNames.map((name) => [name, 1000 * (seconds[name] ?? 10)]),
  ) as Record<StageName, number>;
}

const left = (status: Status, expected: ExpectedTimes, seconds: number) =>
  remainingTime(status, expected, began + seconds * 1000) / 1000;

describe('the estimate of the remaining time', () => {
  it('is the expected time of all stages at the beginning', () => {
    expect(left(statusOf('preflight'), times(), 0)).toBe(150);
  });

  it('is the rest of the running stage and all waiting stages', () => {
    expect(left(statusOf('report'), times(), 4)).toBe(6);
    expect(left(statusOf('smoke'), times(), 4)).toBe(16);
  });

  it('extrapolates the progress of the running stage', () => {
    const progress = { done: 1, total: 4, unit: 'bytes' } as const;
    expect(left(statusOf('report', 'running', { progress }), times(), 60)).toBe(180);
  });

  it('does not extrapolate from the first moments', () => {
    const progress = { done: 1, total: 1000, unit: 'bytes' } as const;
    expect(left(statusOf('report', 'running', { progress }), times(), 2)).toBe(8);
    expect(left(statusOf('report', 'running', { progress }), times(), 40)).toBe(10);
  });

  it('adds a share of the time already spent if a stage takes longer than expected', () => {
    expect(left(statusOf('report'), times(), 100)).toBe(25);
  });

  it('expects models at the speed of the images', () => {
    const status = (took: number, state: 'applied' | 'kept' = 'applied'): Status => {
      const before = statusOf('tls');
      const stages = before.stages.map((stage) =>
        stage.name === 'images' ? { ...stage, state, took: took * 1000 } : stage,
      );
      return { ...before, stages };
    };
    const expected = times({ tls: 0, images: 20, models: 100, smoke: 0, report: 0 });
    expect(left(status(20), expected, 0)).toBe(100);
    expect(left(status(60), expected, 0)).toBe(300);
    // Limits: a short stage is no measurement.
    expect(left(status(0.1), expected, 0)).toBe(25);
    expect(left(status(9999), expected, 0)).toBe(1000);
    expect(left(status(0.1, 'kept'), expected, 0)).toBe(100);
  });

  it('is zero at the end', () => {
    expect(left(statusOf(undefined), times(), 500)).toBe(0);
  });

  it('is finite without a start time and without images', () => {
    const status = statusOf('report');
    const stages = status.stages.map(({ since: _, ...stage }) => stage);
    expect(left({ ...status, stages }, times({ images: 0 }), 500)).toBe(10);
  });
});

describe('the expected times', () => {
  it('depend on the amounts, and on whether the bundle contains them', () => {
    const amounts = { images: 1.6e9, models: 4.8e9 };
    expect(expectedTimes({ kind: 'thin', ...amounts })).toMatchObject({
      images: 200_000,
      models: 600_000,
    });
    expect(expectedTimes({ kind: 'full', ...amounts })).toMatchObject({
      images: 40_000,
      models: 16_000,
    });
  });

  it('exist for every stage', () => {
    const expected = expectedTimes({ kind: 'full', images: 0, models: 0 });
    expect(Object.keys(expected)).toEqual([...stageNames]);
    expect(expected.users).toBe(1000);
  });
});
