import { fraction } from '#contract/text/amount.ts';
import type { StageStatus, Status } from '../status.ts';
import type { ExpectedTimes } from './expected-times.ts';

/** Least time and progress of a running stage for an extrapolation. */
const least = { milliseconds: 3000, fraction: 0.03 } as const;
/** A stage that takes longer than expected may need this share of its time again. */
const overrun = 1 / 4;
/** Limits of the ratio between actual and expected time. */
const slowest = 10;
const fastest = 1 / 4;

/**
 * Estimates how long a running first boot still takes, in milliseconds. The running stage is
 * extrapolated from its progress. The duration of `images` scales the expectation of `models`, which
 * come from the same network or disk.
 * @param now milliseconds since 1970
 */
export function remainingTime(status: Status, expected: ExpectedTimes, now: number): number {
  const pace = paceOf(status, expected);
  return status.stages.reduce((sum, stage) => {
    const whole = expected[stage.name] * (stage.name === 'models' ? pace : 1);
    if (stage.state === 'waiting') return sum + whole;
    return stage.state === 'running' ? sum + restOf(stage, status, whole, now) : sum;
  }, 0);
}

function restOf({ since }: StageStatus, { progress }: Status, whole: number, now: number): number {
  const spent = since === undefined ? 0 : Math.max(0, now - Date.parse(since));
  const done = progress ? fraction(progress) : 0;
  if (spent >= least.milliseconds && done >= least.fraction) return (spent * (1 - done)) / done;
  return Math.max(whole - spent, spent * overrun);
}

function paceOf({ stages }: Status, expected: ExpectedTimes): number {
  const images = stages.find(({ name }) => name === 'images');
  // A stage that had nothing to do shows nothing about the network.
  if (images?.state !== 'applied' || !images.took || expected.images === 0) return 1;
  return Math.min(Math.max(images.took / expected.images, fastest), slowest);
}
