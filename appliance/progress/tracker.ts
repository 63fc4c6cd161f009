import type { LandfallError } from '#contract/errors.ts';
import type { Release } from '#contract/release.ts';
import type { Host } from '../host/host.ts';
import type { Amount, Reporter } from '../stage/reporter.ts';
import type { Observer } from '../stage/run-stages.ts';
import type { Stage, StageName } from '../stage/stage.ts';
import { type Status, writeStatus } from './status.ts';

/** Told of every change, after it is in the status file. */
export type Listener = (status: Status, change: 'stage' | 'line' | 'progress') => void;

/** A line or a bar that changes faster than this is not worth a file. Milliseconds. */
const pauseMs = 250;

/** Keeps the status file true while stages run, and tells console and page. */
export class Tracker implements Reporter, Observer {
  readonly #host: Host;
  readonly #listeners: readonly Listener[];
  #status: Status;
  #written = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(
    host: Host,
    release: Release,
    stages: readonly Stage[],
    listeners: readonly Listener[],
  ) {
    this.#host = host;
    this.#listeners = listeners;
    const now = new Date().toISOString();
    this.#status = {
      product: release.product,
      release: release.version,
      state: 'running',
      started: now,
      updated: now,
      stages: stages.map(({ name, title }) => ({ name, title, state: 'waiting' })),
      warnings: [],
    };
  }

  get status(): Status {
    return this.#status;
  }

  say(line: string): void {
    this.#change({ line, progress: undefined }, 'line');
  }

  progress(amount: Amount): void {
    this.#change({ progress: amount }, 'progress');
  }

  warn(line: string): void {
    const warnings = [...new Set([...this.#status.warnings, line])];
    this.#change({ warnings, line }, 'line');
  }

  async started(name: StageName): Promise<void> {
    await this.#changeStage(name, { state: 'running' }, { line: undefined });
  }

  async ended(
    name: StageName,
    state: 'applied' | 'kept',
    times: { took: number; own: number },
  ): Promise<void> {
    await this.#changeStage(name, { state, ...times }, { line: undefined });
  }

  async failed(name: StageName, { code, message, hint }: LandfallError): Promise<void> {
    const error = { code, message, hint };
    await this.#changeStage(name, { state: 'failed' }, { state: 'failed', line: undefined, error });
  }

  /** All stages are over. */
  async done(): Promise<void> {
    this.#change({ state: 'done', line: undefined, progress: undefined }, 'stage');
    await this.#writing;
  }

  async #changeStage(
    name: StageName,
    part: Partial<Status['stages'][number]>,
    rest: Partial<Status>,
  ): Promise<void> {
    const stages = this.#status.stages.map((stage) =>
      stage.name === name ? { ...stage, ...part } : stage,
    );
    this.#change({ ...rest, stages, progress: undefined }, 'stage');
    await this.#writing;
  }

  #change(part: Partial<Status>, change: 'stage' | 'line' | 'progress'): void {
    this.#status = { ...this.#status, ...part, updated: new Date().toISOString() };
    const now = performance.now();
    if (change === 'stage' || now - this.#written >= pauseMs) {
      this.#written = now;
      const snapshot = this.#status;
      this.#writing = this.#writing.then(() => writeStatus(this.#host, snapshot));
    }
    for (const listener of this.#listeners) listener(this.#status, change);
  }
}
