import type { Release } from '#contract/bundle/release.ts';
import type { LandfallError } from '#contract/errors.ts';
import type { NeededInput } from '#contract/needed-input.ts';
import { type Amount, soundAmount } from '#contract/text/amount.ts';
import type { Language } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { formatProblem } from '#contract/text/problem.ts';
import type { Host } from '../host/host.ts';
import {
  type BilingualWarning,
  isSameWarning,
  type Reporter,
  storedWarning,
} from '../stage/reporter.ts';
import type { Observer } from '../stage/run-stages.ts';
import type { Stage, StageName } from '../stage/stage.ts';
import { writeMotd } from './motd.ts';
import { type PageSettings, writePage } from './page/page-file.ts';
import { type StageStatus, type Status, storedStatus } from './status.ts';

/**
 * Writes a frequently changing value with a minimum pause between writes. Intermediate values may be
 * skipped; the last one is always written. Write errors are ignored, because a failed report must not
 * stop the setup.
 */
export class LatestWriter<Value> {
  readonly #write: (value: Value) => Promise<void>;
  readonly #pauseMs: number;
  #next: { readonly value: Value } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(write: (value: Value) => Promise<void>, pauseMs: number) {
    this.#write = write;
    this.#pauseMs = pauseMs;
  }

  /** Schedules a write. A newer value replaces a scheduled one. */
  offer(value: Value): void {
    this.#next = { value };
    // The timer does not keep the process alive, so callers must flush before they exit.
    this.#timer ??= setTimeout(() => void this.flush(), this.#pauseMs).unref();
  }

  /** Writes the newest value immediately. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(async () => {
      const next = this.#next;
      this.#next = undefined;
      if (next) await this.#write(next.value).catch(() => {});
    });
    await this.#writing;
  }
}

/** Called immediately for every change. */
export type StatusListener = (status: Status, change: 'stage' | 'line' | 'progress') => void;

/** Minimum interval between file writes in milliseconds. */
const pauseMs = 250;
/** Interval between writes without a change in milliseconds: the page shows the elapsed time. */
const beatMs = 10_000;
const maxWarnings = 50;
const maxProblems = 20;

/** How the page and the login message show the status. */
interface Shown extends PageSettings {
  /** That of the site. */
  readonly language: Language;
}

/** Updates the status file, the page and the login message while stages run; notifies listeners. */
export class Tracker implements Reporter, Observer {
  readonly #listeners: readonly StatusListener[];
  readonly #files: LatestWriter<Status>;
  readonly #language: Language;
  #beat: NodeJS.Timeout | undefined;
  #status: Status;

  constructor(
    host: Host,
    release: Release,
    stages: readonly Stage[],
    listeners: readonly StatusListener[],
    shown: Shown,
  ) {
    this.#listeners = listeners;
    this.#language = shown.language;
    this.#files = new LatestWriter(async (status) => {
      // Before the status: a run that was visible there must be in the login message after a reboot.
      await Promise.allSettled([
        writePage(host, status, shown),
        writeMotd(host, status, shown.language),
      ]);
      await storedStatus.write(host, status);
    }, pauseMs);
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

  /** Writes the initial files, and then updates the page until the end. */
  async begin(): Promise<void> {
    this.#beat = setInterval(() => this.#files.offer(this.#status), beatMs).unref();
    this.#files.offer(this.#status);
    await this.#files.flush();
  }

  say(line: string): void {
    this.#change({ line: plainLine(line), waitsFor: undefined, progress: undefined }, 'line');
  }

  waitFor(waitsFor: NeededInput, line: string): void {
    this.#change({ line: plainLine(line), waitsFor, progress: undefined }, 'line');
  }

  progress(amount: Amount): void {
    this.#change({ progress: soundAmount(amount) }, 'progress');
  }

  warn(found: BilingualWarning): void {
    const { kind, subject, text } = storedWarning(found, this.#language);
    const warning = { kind, subject: plainLine(subject), text: plainLine(text, 500) };
    const before = this.#status.warnings;
    const isKnown = before.some((each) => isSameWarning(each, warning));
    const warnings = isKnown ? before : [...before, warning].slice(0, maxWarnings);
    // As all lines: the console of a server has no Chinese font.
    this.#change({ warnings, line: plainLine(found.text.en, 500) }, 'line');
  }

  async started(name: StageName): Promise<void> {
    await this.#changeStage(name, { state: 'running', since: new Date().toISOString() });
  }

  async ended(
    name: StageName,
    state: 'applied' | 'kept',
    times: { took: number; own: number },
  ): Promise<void> {
    await this.#changeStage(name, { state, ...times });
  }

  async failed(
    name: StageName,
    { code, message, problems, hint, retriable }: LandfallError,
  ): Promise<void> {
    clearInterval(this.#beat);
    const error = {
      code,
      message: plainLine(message, 1000),
      problems: problems
        .slice(0, maxProblems)
        .map((problem) => plainLine(formatProblem(problem), 500)),
      hint,
      retriable,
    };
    await this.#changeStage(name, { state: 'failed' }, { state: 'failed', error });
  }

  /** Records that all stages are complete. */
  async done(): Promise<void> {
    clearInterval(this.#beat);
    this.#change({ state: 'done', line: undefined, progress: undefined }, 'stage');
    await this.#files.flush();
  }

  async #changeStage(
    name: StageName,
    part: Partial<StageStatus>,
    rest: Partial<Status> = {},
  ): Promise<void> {
    const stages = this.#status.stages.map((stage) =>
      stage.name === name ? { ...stage, ...part } : stage,
    );
    const none = { line: undefined, waitsFor: undefined, progress: undefined };
    this.#change({ ...rest, stages, ...none }, 'stage');
    await this.#files.flush();
  }

  #change(part: Partial<Status>, change: 'stage' | 'line' | 'progress'): void {
    this.#status = { ...this.#status, ...part, updated: new Date().toISOString() };
    this.#files.offer(this.#status);
    for (const listener of this.#listeners) listener(this.#status, change);
  }
}
