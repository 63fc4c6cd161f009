import type { ChildProcess } from 'node:child_process';

/** Running programs, each the leader of its process group. */
const running = new Set<ChildProcess>();
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Ties a `detached` program to this process. It does not receive the terminal's Ctrl-C, so signals are
 * forwarded to it.
 */
export function adopt(child: ChildProcess): void {
  if (running.size === 0) for (const signal of endings) process.on(signal, endAll);
  running.add(child);
}

/** Forgets a program that has ended. */
export function release(child: ChildProcess): void {
  running.delete(child);
  if (running.size === 0) for (const signal of endings) process.off(signal, endAll);
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
  for (const child of running) {
    signalGroup(child, 'SIGTERM');
    release(child);
  }
  // No handler is left, so the signal has its default effect.
  process.kill(process.pid, signal);
}
