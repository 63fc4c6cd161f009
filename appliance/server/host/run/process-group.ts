import type { ChildProcess } from 'node:child_process';

/** Running programs, each the leader of its process group. */
const running = new Set<ChildProcess>();
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** The handlers stay: Node drops a signal that arrives just before its handler is removed. */
let areSignalsForwarded = false;

/**
 * Ties a `detached` program to this process. It does not receive the terminal's Ctrl-C, so signals are
 * forwarded to it.
 */
function adopt(child: ChildProcess): void {
  if (!areSignalsForwarded) for (const signal of endings) process.on(signal, endAll);
  areSignalsForwarded = true;
  running.add(child);
}

/** Sends a signal to the process group of a program. Does nothing if the group has ended. */
export function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // ESRCH: the group has ended.
  }
}

function endAll(signal: NodeJS.Signals): void {
  for (const child of running) signalGroup(child, 'SIGTERM');
  for (const each of endings) process.off(each, endAll);
  // Without handlers, the signal has its default effect.
  process.kill(process.pid, signal);
}

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
    running.delete(child);
    for (const timer of timers) clearTimeout(timer);
  }
}
