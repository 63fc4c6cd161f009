import type { ChildProcess } from 'node:child_process';

/** Programs that run now, each the leader of a group with all that it starts itself. */
const running = new Set<ChildProcess>();
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Takes care of a program that was started `detached`: it no longer hears the Ctrl-C of a terminal,
 * so it is ended together with this program.
 */
export function adopt(child: ChildProcess): void {
  if (running.size === 0) for (const signal of endings) process.on(signal, endAll);
  running.add(child);
}

/** It has ended. */
export function release(child: ChildProcess): void {
  running.delete(child);
  if (running.size === 0) for (const signal of endings) process.off(signal, endAll);
}

/** Sends a signal to a program and to what it started; where nothing is left, to nobody. */
export function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // ESRCH: all of them are gone.
  }
}

function endAll(signal: NodeJS.Signals): void {
  for (const child of running) {
    signalGroup(child, 'SIGTERM');
    release(child);
  }
  // What the signal does to programs that do not listen to it.
  process.kill(process.pid, signal);
}
