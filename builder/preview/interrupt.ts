const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The reason of an aborted run. */
export class Interruption {
  readonly signal: NodeJS.Signals;

  constructor(signal: NodeJS.Signals) {
    this.signal = signal;
  }

  /** Ends the program as the signal does by default, so that the shell and scripts see it. */
  async end(): Promise<never> {
    process.kill(process.pid, this.signal);
    return await new Promise(() => {});
  }
}

/**
 * Runs the work with a signal that Ctrl-C aborts. The work then cleans up; a second Ctrl-C ends the
 * program at once.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const interrupt = (signal: NodeJS.Signals) => {
    forget();
    controller.abort(new Interruption(signal));
  };
  const forget = () => {
    for (const each of signals) process.off(each, interrupt);
  };
  for (const each of signals) process.on(each, interrupt);
  try {
    return await work(controller.signal);
  } finally {
    forget();
  }
}
