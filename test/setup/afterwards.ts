/** Cleanup steps for the end of a run, executed in reverse order. */
export class Afterwards {
  readonly #steps: Array<() => Promise<void>> = [];
  #running: Promise<void> | undefined;

  add(step: () => Promise<void>): void {
    this.#steps.push(step);
  }

  /** Runs every step once, even if one fails. Later calls wait for the same steps. */
  run(): Promise<void> {
    this.#running ??= this.#takeAll();
    return this.#running;
  }

  async #takeAll(): Promise<void> {
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) {
      await step().catch((error) => console.error('cleaning up:', error));
    }
  }
}

/** Handles signals, so that a run cleans up before it ends. */
export function runOnSignals(afterwards: Afterwards): void {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    process.once(signal, () => void afterwards.run().finally(() => process.exit(code)));
  }
}
