import { readFile } from 'node:fs/promises';

import { isMissing } from '#files/open-regular.ts';
import type { Host } from '../host.ts';

/** A process as in proc_pid_stat(5). */
export interface Process {
  readonly pid: number;
  readonly parent: number;
  /** Name of the program, truncated to 15 characters. */
  readonly name: string;
  /** Start time in clock ticks since boot, independent of the system time. */
  readonly start: number;
}

/** Returns a process; undefined if it does not run. */
export async function readProcess(host: Host, pid: number): Promise<Process | undefined> {
  const text = await readProcessFile(host, pid, 'stat');
  return text === undefined ? undefined : parseProcess(text);
}

/**
 * Returns the current time on the clock of process start times. Starts a process to read it, because
 * /proc/uptime may differ in containers.
 */
export async function processClock(host: Host): Promise<number> {
  const { stdout } = await host.run('cat', ['/proc/self/stat']);
  return parseProcess(stdout).start;
}

/** Returns a file of a process in /proc, NUL bytes included; undefined if the process has ended. */
export async function readProcessFile(
  host: Host,
  pid: number,
  name: 'stat' | 'cmdline' | 'environ',
): Promise<string | undefined> {
  try {
    return await readFile(host.path(`proc/${pid}/${name}`), 'utf8');
  } catch (error) {
    if (isMissing(error) || isGone(error)) return undefined;
    throw error;
  }
}

/** Parses the stat file. The name is in parentheses and may contain parentheses. */
export function parseProcess(text: string): Process {
  const [begin, end] = [text.indexOf('('), text.lastIndexOf(')')];
  const fields = text.slice(end + 2).split(' ');
  return {
    pid: Number(text.slice(0, begin)),
    name: text.slice(begin + 1, end),
    parent: Number(fields[1]),
    start: Number(fields[19]),
  };
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ESRCH';
}
