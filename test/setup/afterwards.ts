/** What to do when a run ends, however it ends: the last thing begun is the first to be undone. */
export class Afterwards {
  readonly #steps: Array<() => Promise<void>> = [];
  #running: Promise<void> | undefined;

  add(step: () => Promise<void>): void {
    this.#steps.push(step);
  }

  /** Takes every step once, even when one fails. Whoever calls again waits for the same steps. */
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

/** Lets a run that is told to end do so with everything cleaned up. */
export function runOnSignals(afterwards: Afterwards): void {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    process.once(signal, () => void afterwards.run().finally(() => process.exit(code)));
  }
}
