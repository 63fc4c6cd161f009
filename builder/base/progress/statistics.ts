import { readFileSync } from 'node:fs';
import { formatBytes, formatDuration } from '#contract/text/amount.ts';
import { inLanguage } from '#contract/text/language.ts';

/** Counters of a run, printed as its last line. All values in bytes. */
export interface Statistics {
  /** Received from registries and web servers. */
  fetched: number;
  /** Found in the store instead of downloaded. */
  fromCache: number;
  /** Hashed with SHA-256. */
  hashed: number;
  /** Written to disk: store and bundle. */
  written: number;
}

export function newStatistics(): Statistics {
  return { fetched: 0, fromCache: 0, hashed: 0, written: 0 };
}

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
  const [fetched, fromCache, hashed] = [cost.fetched, cost.fromCache, cost.hashed].map(formatBytes);
  const [written, peak] = [cost.written, cost.peakMemory].map(formatBytes);
  const took = formatDuration(cost.seconds * 1000);
  return inLanguage({
    en: `fetched ${fetched}, from cache ${fromCache}, hashed ${hashed}, written ${written}, ${took}, peak memory ${peak}`,
    zh: `下载 ${fetched}，来自缓存 ${fromCache}，计算摘要 ${hashed}，写入 ${written}，用时 ${took}，内存峰值 ${peak}`,
  });
}

/**
 * Returns the peak resident size of this program in bytes. getrusage(2) also counts the time
 * before exec, so it may report the size of the parent; on Linux, proc_pid_status(5) has the
 * program's own value.
 */
function peakMemory(): number {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(ownStatus())?.[1];
  return Number(kilobytes ?? process.resourceUsage().maxRSS) * 1024;
}

function ownStatus(): string {
  try {
    return readFileSync('/proc/self/status', 'utf8');
  } catch {
    return '';
  }
}
