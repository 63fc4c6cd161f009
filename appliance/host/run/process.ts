import { readFile } from 'node:fs/promises';
import { isMissing } from '../files.ts';
import type { Host } from '../host.ts';

/** A process as proc_pid_stat(5) shows it. */
export interface Process {
  readonly pid: number;
  readonly parent: number;
  /** The program's name, cut off after 15 characters. */
  readonly name: string;
  /** When it began: ticks of the kernel's clock, which no change of the time of day moves. */
  readonly start: number;
}

/** A process that runs, or nothing. */
export async function readProcess(host: Host, pid: number): Promise<Process | undefined> {
  const text = await readProcessFile(host, pid, 'stat');
  return text === undefined ? undefined : parseProcess(text);
}

/**
 * Now, on the clock that the beginning of processes is told by. It is that of a process made for the
 * purpose: in containers /proc/uptime may tell something else.
 */
export async function processClock(host: Host): Promise<number> {
  const { stdout } = await host.run('cat', ['/proc/self/stat']);
  return parseProcess(stdout).start;
}

/** A file of a process below /proc, or nothing when it is gone. Its parts end with a NUL. */
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

/** The name stands in parentheses and may hold any character, these included. */
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

/** It ended between the opening of the file and the reading. */
function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ESRCH';
}
