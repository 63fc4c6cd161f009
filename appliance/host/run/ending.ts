import type { ChildProcess } from 'node:child_process';
import { adopt, release, signalGroup } from './process-group.ts';

/** How a program ended. */
export type Ending =
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'signal'; readonly signal: string }
  | { readonly kind: 'timeout' }
  /** The error code of the system, such as ENOENT or EACCES. */
  | { readonly kind: 'unstarted'; readonly reason: string };

/** Time between SIGTERM and SIGKILL. Milliseconds. */
const killDelayMs = 5000;

/**
 * Waits for the end of a program that leads a process group. After the timeout the group receives
 * SIGTERM, then SIGKILL.
 */
export async function endingOf(child: ChildProcess, seconds: number): Promise<Ending> {
  const limit = seconds * 1000;
  let late = false;
  const timers = [
    setTimeout(() => {
      late = true;
      signalGroup(child, 'SIGTERM');
    }, limit),
    setTimeout(() => signalGroup(child, 'SIGKILL'), limit + killDelayMs),
  ];
  adopt(child);
  try {
    return await new Promise<Ending>((resolve) => {
      child.once('error', (error) => {
        resolve({ kind: 'unstarted', reason: 'code' in error ? `${error.code}` : error.message });
      });
      child.once('exit', (code, signal) => {
        if (late) resolve({ kind: 'timeout' });
        else if (code === null) resolve({ kind: 'signal', signal: signal ?? 'unknown' });
        else resolve({ kind: 'exit', code });
      });
    });
  } finally {
    release(child);
    for (const timer of timers) clearTimeout(timer);
  }
}
