import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
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
  /** Bytes written to files. */
  readonly written: number;
}

/** More than any measured program writes, in bytes. */
const reserve = 3e9;

/** Runs a command under time(1). Pending disk writes are flushed first. */
export async function measure(command: readonly string[], cwd: string): Promise<Cost> {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-time-'));
  const report = join(folder, 'report');
  try {
    await prepareMemory(join(folder, 'reserve'));
    await execa('sync');
    const args = ['--format', '%e %U %S %M %O', '--output', report, ...command];
    const env = { CI: 'true', XDG_CACHE_HOME: join(cwd, 'cache') };
    await execa('/usr/bin/time', args, { cwd, stdin: 'ignore', env });
    const [wall = 0, user = 0, system = 0, kilobytes = 0, blocks = 0] = (
      await readFile(report, 'utf8')
    )
      .trim()
      .split(' ')
      .map(Number);
    return { wall, cpu: user + system, memory: kilobytes * 1024, written: blocks * 512 };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * Writes and removes a large file. A virtual machine gets memory from its host at the first use, at
 * several times the cost of a copy; without this, the first program would pay for the others.
 */
async function prepareMemory(path: string): Promise<void> {
  const zeros = Buffer.alloc(1024 * 1024);
  const file = await open(path, 'w');
  for (let size = 0; size < reserve; size += zeros.length) await file.write(zeros);
  await file.close();
  await rm(path);
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
    written: middle(({ written }) => written),
  };
}
