import type { ChildProcess } from 'node:child_process';

/** How a program came to its end. */
export type Ending =
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'signal'; readonly signal: string }
  | { readonly kind: 'timeout' }
  /** The system's reason: ENOENT, EACCES. */
  | { readonly kind: 'unstarted'; readonly reason: string };

/** Between the request to end and the order. Milliseconds. */
const patienceMs = 5000;

/** Waits for the end of a program; after so many seconds it is asked to end, then made to. */
export async function endingOf(child: ChildProcess, seconds: number): Promise<Ending> {
  const limit = seconds * 1000;
  let late = false;
  const timers = [
    setTimeout(() => {
      late = true;
      child.kill('SIGTERM');
    }, limit),
    setTimeout(() => child.kill('SIGKILL'), limit + patienceMs),
  ];
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
    for (const timer of timers) clearTimeout(timer);
  }
}
