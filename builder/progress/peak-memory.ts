import { readFileSync } from 'node:fs';

/**
 * Bytes: the largest resident size that this program had. getrusage(2) counts from before the
 * program was started in the process, so it may give the size of whoever started it; Linux has the
 * program's own in proc_pid_status(5).
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
