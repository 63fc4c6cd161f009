import { formatDuration } from '#contract/text/duration.ts';
import { formatBytes } from '#contract/text/format-bytes.ts';
import { peakMemory } from './peak-memory.ts';
import type { Statistics } from './statistics.ts';

/** The cost of a run, for JSON output. */
interface RunCost extends Statistics {
  readonly seconds: number;
  /** Peak resident size of this program in bytes. */
  readonly peakMemory: number;
}

/** Returns the cost of this process so far. @param started a value of `performance.now()` */
export function costOf(statistics: Statistics, started: number): RunCost {
  return {
    ...statistics,
    seconds: Number(((performance.now() - started) / 1000).toFixed(3)),
    peakMemory: peakMemory(),
  };
}

/** Formats the last line of a run. */
export function formatCost(cost: RunCost): string {
  return [
    `fetched ${formatBytes(cost.fetched)}`,
    `from cache ${formatBytes(cost.fromCache)}`,
    `hashed ${formatBytes(cost.hashed)}`,
    `written ${formatBytes(cost.written)}`,
    formatDuration(cost.seconds * 1000),
    `peak memory ${formatBytes(cost.peakMemory)}`,
  ].join(', ');
}
