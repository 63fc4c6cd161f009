import { readFileSync } from 'node:fs';

/**
 * Returns the peak resident size of this program in bytes. getrusage(2) also counts the time
 * before exec, so it may report the size of the parent; on Linux, proc_pid_status(5) has the
 * program's own value.
 */
export function peakMemory(): number {
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
