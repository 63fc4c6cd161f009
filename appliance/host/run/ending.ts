import type { ChildProcess } from 'node:child_process';
import { adopt, release, signalGroup } from './process-group.ts';

/** How a program came to its end. */
export type Ending =
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'signal'; readonly signal: string }
  | { readonly kind: 'timeout' }
  /** The system's reason: ENOENT, EACCES. */
  | { readonly kind: 'unstarted'; readonly reason: string };

/** Between the request to end and the order. Milliseconds. */
const patienceMs = 5000;

/**
 * Waits for the end of a program that leads a group of its own. After so many seconds the whole
 * group is asked to end, then made to.
 */
export async function endingOf(child: ChildProcess, seconds: number): Promise<Ending> {
  const limit = seconds * 1000;
  let late = false;
  const timers = [
    setTimeout(() => {
      late = true;
      signalGroup(child, 'SIGTERM');
    }, limit),
    setTimeout(() => signalGroup(child, 'SIGKILL'), limit + patienceMs),
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
