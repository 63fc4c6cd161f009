import { readdirSync, readFileSync } from 'node:fs';

export interface RunningProcess {
  readonly pid: number;
  readonly command: string;
}

/** Lists the processes with a variable in their environment, by proc_pid_environ(5). */
export function processesWith(variable: string): RunningProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => read(pid, 'environ').split('\0').includes(variable))
    .map((pid) => ({
      pid: Number(pid),
      command: read(pid, 'cmdline').replaceAll('\0', ' ').trim(),
    }));
}

/** Empty for a process that has ended, or that belongs to another user. */
function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
