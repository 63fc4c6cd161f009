import { constants, type FileHandle, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '#files/replace-file.ts';
import { syncFolder } from '#files/sync-folder.ts';
import type { Ledger } from '../../budget/ledger.ts';
import type { Journal } from '../../budget/usage.ts';
import { formatVersion, type UsageEvent } from '../../budget/usage-event.ts';
import { journalName, stateName } from './stored-usage.ts';

/** Lines of a journal until the state is compacted. About 2 MB. */
const maxLines = 20_000;
/** Milliseconds until an event is written that can wait. */
const maxWait = 20;
/** The same for a refusal: a client may repeat its request for days. */
const maxRefusalWait = 60_000;
/**
 * While so many requests are in progress, two writes begin at least so many milliseconds apart: a write costs the
 * CPU of half a request, and a fast disk would do one for each.
 */
const crowd = 8;
const interval = 8;
const mode = 0o600;
/** A write returns when it is on disk, without a second call for that. */
const journalFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_DSYNC;

interface Waiting {
  readonly line: string;
  /** Set for an event that must be on disk. */
  readonly done?: (isWritten: boolean) => void;
}

/**
 * The usage in a folder: a compacted state, and a journal of the events since then. Events that wait
 * while the disk is busy are written and synced together. After an error, the next event writes a
 * complete state, so that a full disk needs no restart once it has space again.
 */
export class UsageFiles implements Journal {
  readonly #folder: string;
  readonly #ledger: Ledger;
  #number: number;
  /** Undefined at the start and after an error: the state must be written. */
  #file: FileHandle | undefined;
  #lines = 0;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  /** When the last write began. */
  #begun = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the timer waits for refusals only. */
  #isPatient = false;
  #isClosed = false;

  /** @param number of the last journal */
  constructor(folder: string, ledger: Ledger, number: number) {
    this.#folder = folder;
    this.#ledger = ledger;
    this.#number = number;
  }

  note(event: UsageEvent, mayWait: boolean): void {
    // Without a journal, the next state contains the event.
    if (this.#isClosed || (!this.#file && !this.#writing)) return;
    this.#waiting.push({ line: lineOf(event) });
    // The write in progress is followed by one of what waits.
    if (this.#writing) return;
    if (mayWait) this.#beginLater(event.event === 'refuse');
    else this.#begin();
  }

  sync(event: UsageEvent): Promise<boolean> {
    if (this.#isClosed) return Promise.resolve(false);
    return new Promise((done) => this.#add({ line: lineOf(event), done }));
  }

  /** Writes the state, and returns whether that succeeded. */
  compact(): Promise<boolean> {
    this.#lines = maxLines;
    return new Promise((done) => this.#add({ line: '', done }));
  }

  /** Writes pending events and closes the journal. Later ones are lost: their reservations count as used. */
  async close(): Promise<void> {
    while (this.#waiting.length > 0 || this.#writing) {
      this.#begin();
      await this.#writing;
    }
    this.#isClosed = true;
    await this.#file?.close();
  }

  #add(waiting: Waiting): void {
    this.#waiting.push(waiting);
    this.#begin();
  }

  #beginLater(isRefusal: boolean): void {
    if (this.#timer && (isRefusal || !this.#isPatient)) return;
    clearTimeout(this.#timer);
    this.#isPatient = isRefusal;
    this.#timer = setTimeout(() => this.#begin(), isRefusal ? maxRefusalWait : maxWait);
  }

  #begin(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing ??= this.#write();
  }

  async #write(): Promise<void> {
    // Requests of the same moment share one sync.
    await undefined;
    while (this.#waiting.length > 0) {
      await this.#gather();
      const batch = this.#waiting;
      this.#waiting = [];
      this.#begun = performance.now();
      const isWritten = await this.#writeBatch(batch).then(
        () => true,
        () => this.#fail(),
      );
      for (const { done } of batch) done?.(isWritten);
    }
    // In the same step as the last check, so that no later event is left waiting.
    this.#writing = undefined;
  }

  async #gather(): Promise<void> {
    const wait = this.#begun + interval - performance.now();
    if (wait <= 0 || this.#ledger.pending < crowd) return;
    await new Promise((resolve) => setTimeout(resolve, wait));
  }

  async #writeBatch(batch: readonly Waiting[]): Promise<void> {
    if (!this.#file || this.#lines >= maxLines) return this.#writeState();
    const text = batch.map(({ line }) => line).join('');
    const { bytesWritten } = await this.#file.write(text);
    if (bytesWritten < Buffer.byteLength(text)) throw new Error('the disk is full');
    this.#lines += batch.length;
  }

  /**
   * Replaces the state and begins a journal. The ledger already contains the events of the batch, and
   * later ones wait. The state names its journal, so a crash at any point leaves a matching pair.
   */
  async #writeState(): Promise<void> {
    this.#ledger.prune();
    const number = this.#number + 1;
    const path = join(this.#folder, journalName(number));
    const state = { version: formatVersion, journal: number, ...this.#ledger.state() };
    const file = await open(path, journalFlags, mode);
    try {
      await replaceFile(join(this.#folder, stateName), JSON.stringify(state), { mode });
    } catch (error) {
      await file.close();
      throw error;
    }
    await this.#file?.close();
    this.#file = file;
    this.#number = number;
    this.#lines = 0;
    await this.#removeOld();
    await syncFolder(this.#folder);
  }

  async #removeOld(): Promise<void> {
    const current = journalName(this.#number);
    const names = await readdir(this.#folder);
    const old = names.filter((name) => /^journal-\d+\.jsonl$/.test(name) && name !== current);
    await Promise.all(old.map((name) => rm(join(this.#folder, name))));
  }

  async #fail(): Promise<false> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close().catch(() => {});
    return false;
  }
}

function lineOf(event: UsageEvent): string {
  return `${JSON.stringify(event)}\n`;
}
