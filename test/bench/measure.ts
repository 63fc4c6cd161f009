import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';

/** Cost of one run of a command, as the kernel accounts for it. */
export interface Cost {
  /** Wall-clock seconds. */
  readonly wall: number;
  /** Seconds of processor time, user and system, children included. */
  readonly cpu: number;
  /** Largest resident size of any of its processes, in bytes. */
  readonly memory: number;
}

/** Runs a command under time(1). Pending disk writes are flushed first. */
export async function measure(command: readonly string[], cwd: string): Promise<Cost> {
  await execa('sync');
  const folder = await mkdtemp(join(tmpdir(), 'landfall-time-'));
  const report = join(folder, 'report');
  try {
    const args = ['--format', '%e %U %S %M', '--output', report, ...command];
    await execa('/usr/bin/time', args, { cwd, stdin: 'ignore', env: { CI: 'true' } });
    const [wall = 0, user = 0, system = 0, kilobytes = 0] = (await readFile(report, 'utf8'))
      .trim()
      .split(' ')
      .map(Number);
    return { wall, cpu: user + system, memory: kilobytes * 1024 };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Returns the median of several costs, for each figure. */
export function medianOf(costs: readonly Cost[]): Cost {
  const middle = (pick: (cost: Cost) => number) => {
    const sorted = costs.map(pick).sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  };
  return {
    wall: middle(({ wall }) => wall),
    cpu: middle(({ cpu }) => cpu),
    memory: middle(({ memory }) => memory),
  };
}
