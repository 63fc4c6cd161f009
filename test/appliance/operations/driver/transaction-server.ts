import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { transactionFile } from '#contract/server-paths.ts';
import { resumedFrom } from '../../../../appliance/commands/update/resume.ts';
import { applyTransaction } from '../../../../appliance/operations/driver/apply.ts';
import { removePrevious } from '../../../../appliance/operations/driver/end-update.ts';
import { serverSteps } from '../../../../appliance/operations/driver/steps.ts';
import { Host } from '../../../../appliance/server/host/host.ts';
import type { CommandResult } from '../../../../appliance/server/host/run/command.ts';
import type {
  Transaction,
  TransactionState,
} from '../../../../appliance/server/records/transaction.ts';
import { contextFor } from '../../context.ts';
import { disk } from './failing-disk.ts';

/** A file system in memory, because a transaction syncs each of its steps to the disk. */
const memory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** Programs that fail for a while: the next calls that match. */
export interface Outage {
  /** Of the program and its arguments, separated by spaces. */
  readonly of: RegExp;
  /** Calls that still work, and calls that fail after them. */
  after: number;
  calls: number;
  /** What else must hold for a call to count; default: nothing. */
  readonly during?: TransactionState;
}

/** A server on which a transaction is applied: its files are real, its programs are simulated. */
export abstract class TransactionServer {
  readonly #root = mkdtempSync(join(memory, 'landfall-transaction-'));
  readonly host = new Host(this.#root, (file, args) => this.#run(file, args));

  outage: Outage | undefined;

  /** Returns what a program prints, and does what it does; undefined: it fails with code 1. */
  protected abstract effectOf(file: string, args: readonly string[]): Promise<string | undefined>;

  /** Returns what is wrong with the server after the transaction has ended; empty if nothing. */
  abstract flaws(): string[] | Promise<string[]>;

  /**
   * Returns what is wrong after any run: `current` exists, and what a run changes belongs together, or what
   * belongs to the state of before exists and the transaction is open.
   */
  abstract broken(): string[];

  /** A program dies before it has an effect or after it. */
  async #run(file: string, args: readonly string[]): Promise<CommandResult> {
    disk.change('program');
    this.#failInOutage([file, ...args].join(' '));
    const stdout = await this.effectOf(file, args);
    disk.change('program');
    return { code: stdout === undefined ? 1 : 0, stdout: stdout ?? '', stderr: '' };
  }

  #failInOutage(line: string): void {
    const { outage } = this;
    if (!outage?.of.test(line)) return;
    if (outage.during !== undefined && this.open()?.state !== outage.during) return;
    if (outage.after > 0) outage.after -= 1;
    else if (outage.calls > 0) {
      outage.calls -= 1;
      throw new LandfallError('COMMAND_FAILED', `${line.slice(0, 20)} does not respond`);
    }
  }

  /** Returns the open transaction; undefined if there is none. */
  open(): Transaction | undefined {
    const path = this.path(transactionFile);
    return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Transaction) : undefined;
  }

  /** Continues a rollback that is stuck, as `landfall update resume` does. */
  resume(withoutCopy = false): void {
    const open = this.open();
    if (open) this.write(transactionFile, JSON.stringify(resumedFrom(open, withoutCopy)));
  }

  /** Applies the transaction as systemd does after each boot, once. Returns the failure. */
  async apply(): Promise<string | undefined> {
    const { site } = contextFor(this.host);
    const steps = serverSteps({ host: this.host, site, arch: 'amd64' });
    try {
      await applyTransaction(this.host, { ...steps, say: () => {} });
      await removePrevious(this.host, 'amd64');
      return undefined;
    } catch (error) {
      return (error as Error).stack ?? String(error);
    }
  }

  path(...parts: readonly string[]): string {
    return join(this.#root, ...parts);
  }

  protected text(path: string): string {
    return readFileSync(this.path(path), 'utf8');
  }

  /** Returns the text of a file that may be missing. */
  protected textIfAny(path: string): string | undefined {
    return existsSync(this.path(path)) ? this.text(path) : undefined;
  }

  protected write(path: string, content: string | Uint8Array): void {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    writeFileSync(this.path(path), content);
  }

  remove(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }
}

/** How a disk fails: the server is off, or the disk is full. */
type Failure = 'dead' | 'full';

/**
 * Applies a transaction on a server whose disk fails after so many changes, then again until it ends.
 * @param create returns the server
 * @returns what is wrong, and whether there were as many changes
 */
async function survive<Server extends TransactionServer>(
  create: () => Promise<Server>,
  failsAt: number,
  how: Failure,
): Promise<{ reached: boolean; flaws: string[]; server: Server }> {
  disk.reset();
  const server = await create();
  try {
    disk.reset(failsAt, how);
    let failure = await server.apply();
    const reached = disk.done > failsAt;
    disk.reset();
    const flaws = server.broken();
    for (let boot = 0; failure !== undefined && boot < 8; boot += 1) {
      failure = await server.apply();
      flaws.push(...server.broken());
    }
    flaws.push(...(failure === undefined ? await server.flaws() : [failure]));
    return { reached, flaws, server };
  } finally {
    disk.reset();
  }
}

/**
 * Lets the disk fail at every change of a transaction, one after the other.
 * @param look returns what else is wrong at the end
 * @returns the number of changes, and what was lost at which
 */
export async function surviveEveryFailure<Server extends TransactionServer>(
  create: () => Promise<Server>,
  how: Failure,
  look: (server: Server) => Promise<string[]> = async () => [],
): Promise<{ tried: number; lost: string[] }> {
  const lost: string[] = [];
  for (let tried = 0; ; tried += 1) {
    const { reached, flaws, server } = await survive(create, tried, how);
    const all = [...flaws, ...(await look(server))];
    server.remove();
    if (all.length > 0) lost.push(`${how} at ${tried}: ${all.join(', ')}`);
    if (!reached) return { tried, lost };
  }
}

/**
 * Applies a transaction on a server that dies several times, each time after so many changes.
 * @returns what is wrong at the end
 */
export async function surviveDeaths(
  create: () => Promise<TransactionServer>,
  deaths: readonly number[],
): Promise<string[]> {
  disk.reset();
  const server = await create();
  try {
    for (const failsAt of deaths) {
      disk.reset(failsAt);
      const failure = await server.apply();
      disk.reset();
      const broken = server.broken();
      if (broken.length > 0) return broken;
      if (failure === undefined) break;
    }
    for (let boot = 0; (await server.apply()) !== undefined; boot += 1) {
      if (boot > 8) return ['it does not end'];
    }
    return await server.flaws();
  } finally {
    disk.reset();
    server.remove();
  }
}
