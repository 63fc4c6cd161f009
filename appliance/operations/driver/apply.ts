import { randomBytes } from 'node:crypto';
import { LandfallError } from '#contract/errors.ts';
import type { Host } from '../../server/host/host.ts';
import {
  storedTransaction,
  type Transaction,
  type TransactionState,
} from '../../server/records/transaction.ts';
import { changes } from '../transactions/kinds.ts';
import type { Phase } from '../transactions/phases.ts';
import { givenUp, interrupted, reasonOf } from '../transactions/rollback-reason.ts';

/** What applying a transaction needs. `steps.ts` has those of a server. */
export interface UpdateSteps {
  /** Runs a phase of a release. @param version that of the release */
  phase(version: string, phase: Phase, open: Transaction): Promise<void>;
  /** Waits for Docker. @throws LandfallError if it does not respond */
  reachDocker(): Promise<void>;
  /** Stops the chat UI and Ollama. */
  stop(open: Transaction): Promise<void>;
  /**
   * Copies the data and what else `to` may change, unless the plan keeps no way back. It is on disk
   * when this returns.
   */
  copy(open: Transaction): Promise<void>;
  /** Reports whether `from` can read the data as they are. Asked only if there is no copy. */
  fitsFrom(open: Transaction): Promise<boolean>;
  /** Puts a copy in place of the data. @param id of the update that made it */
  restore(open: Transaction, id: string): Promise<void>;
  /** Saves what a change of the site replaces, besides the data. It is on disk when this returns. */
  save(open: Transaction): Promise<void>;
  /** Puts the changed site in place. */
  placeSite(open: Transaction): Promise<void>;
  /** Arms the timer that undoes the change unless a new login confirms it. */
  askToConfirm(open: Transaction): Promise<void>;
  /** Waits for the confirmation. @throws LandfallError UNCONFIRMED */
  awaitConfirmation(open: Transaction): Promise<void>;
  /** Makes a release the current one. */
  pointTo(version: string, open: Transaction): Promise<void>;
  /** Records `to` as the installed release. */
  record(open: Transaction): Promise<void>;
  /** Opens the loopback ports. */
  openPorts(open: Transaction): Promise<void>;
  /** Lets a server be opened whose update has not ended: its chats may change from now on. */
  forgetFacts(open: Transaction): Promise<void>;
  /**
   * Removes what the ended update leaves, adds it to the history, and sends an alert. Of a stuck one, it
   * only sends an alert.
   */
  end(open: Transaction): Promise<void>;
  /** Reports a state that begins, or a line. */
  say(state: TransactionState, line?: string): void;
}

/** An update goes on after two interruptions; the third time it is rolled back. */
const maxAttempts = 3;
/** After so many failures of a rollback that reached the data, it is stuck. */
const maxRollbacks = 5;

/**
 * Applies the open transaction until it ends: with the new release, or with everything as it was
 * (decision 66). After an interruption at any point, the next call continues. A rollback that fails too
 * often stays open, as `stuck`.
 * @throws LandfallError of a step that another call may repeat
 */
export async function applyTransaction(host: Host, steps: UpdateSteps): Promise<void> {
  let open = await storedTransaction.read(host);
  if (!open) return;
  const move = async (from: Transaction, change: Partial<Transaction>): Promise<Transaction> => {
    const now = new Date().toISOString();
    const next = { ...from, ...change, ...(change.state ? { since: now } : {}) };
    await storedTransaction.write(host, next);
    if (change.state) steps.say(change.state);
    return next;
  };
  if (isForward(open.state)) open = await move(open, { attempt: open.attempt + 1 });
  if (isForward(open.state) && open.attempt > maxAttempts) {
    open = await move(open, { state: 'rolling-back', attempt: 0, reason: interrupted(open) });
  }
  for (let isCounted = false; ; ) {
    try {
      if (open.state === 'rolling-back' && !isCounted) {
        // Waiting for Docker, or for space on the disk, is no attempt.
        await steps.reachDocker();
        open = await move(open, { attempt: open.attempt + 1 });
        isCounted = true;
      }
      const change = await advance(open, steps);
      if (!change) break;
      open = await move(open, change);
    } catch (error) {
      if (open.state === 'rolling-back' && isCounted && open.attempt >= maxRollbacks) {
        open = await move(open, givenUp(open, error));
        continue;
      }
      if (!isForward(open.state)) throw error;
      const reason = reasonOf(error);
      steps.say(open.state, reason.message);
      open = await move(open, { state: 'rolling-back', attempt: 0, reason });
    }
  }
  if (open.state !== 'stuck') await storedTransaction.remove(host);
}

/** Does what a state needs, and returns the change that follows; undefined at the end. */
async function advance(
  open: Transaction,
  steps: UpdateSteps,
): Promise<Partial<Transaction> | undefined> {
  const { from, to, plan } = open;
  switch (open.state) {
    case 'downloading':
      throw new LandfallError('STATE_INVALID', 'the update is not downloaded yet', {
        hint: { en: 'Run `sudo landfall update`.', zh: '运行 `sudo landfall update`。' },
      });
    case 'staged':
      return { state: 'preparing' };
    case 'preparing':
      // After an interruption, a changed site is in place already.
      if (!changes('site', open) || !open.copied) await testBefore(open, steps);
      if (changes('site', open) && !open.copied) {
        await steps.save(open);
        return { copied: true };
      }
      if (changes('site', open)) await steps.placeSite(open);
      await prepare(to, open, steps);
      // Nothing is closed for a release that changes neither the chat UI nor Ollama.
      return plan?.closes === false
        ? { state: 'switching' }
        : {
            ...{ state: 'closed', pass: randomBytes(16).toString('hex') },
            closedAt: new Date().toISOString(),
          };
    case 'closed':
      await steps.phase(from, 'close', open);
      await steps.stop(open);
      await steps.copy(open);
      return { state: 'copied', copied: plan?.keepsPrevious !== false };
    case 'copied':
      return { state: 'switching' };
    case 'switching':
      if (open.restoreFrom !== null && !changes('site', open)) {
        await steps.restore(open, open.restoreFrom);
      }
      await steps.pointTo(to, open);
      await steps.phase(to, 'switch', open);
      return { state: 'verifying' };
    case 'verifying':
      await steps.phase(to, 'verify', open);
      if (!plan?.confirms) return { state: 'committed', pass: null };
      await steps.askToConfirm(open);
      return { state: 'confirming' };
    case 'confirming':
      await steps.awaitConfirmation(open);
      return { state: 'committed', pass: null };
    case 'committed':
      await steps.record(open);
      await steps.phase(to, 'finish', open);
      await steps.openPorts(open);
      await steps.end(open);
      return undefined;
    case 'rolling-back':
      if (!open.restored && plan?.keepsPrevious === false && !(await steps.fitsFrom(open))) {
        return await stay(open, steps);
      }
      return await rollBack(open, steps);
    case 'rolled-back':
      await steps.phase(from, 'finish', open);
      await steps.openPorts(open);
      await steps.end(open);
      return undefined;
    case 'stuck':
      if (open.restored && open.pass === null) await openAsItIs(open, steps);
      await steps.end(open);
      return undefined;
  }
}

/** Tests the server as it is. Without a result, all tests must pass afterwards. */
async function testBefore(open: Transaction, steps: UpdateSteps): Promise<void> {
  await steps
    .phase(open.from, 'baseline', open)
    .catch(({ message }) => steps.say(open.state, message));
}

/** A restored backup changes nothing before the stack. */
async function prepare(version: string, open: Transaction, steps: UpdateSteps): Promise<void> {
  if (!changes('data', open)) await steps.phase(version, 'prepare', open);
}

/** Brings `from` back, with its data. */
async function rollBack(open: Transaction, steps: UpdateSteps): Promise<Partial<Transaction>> {
  const { from, copied } = open;
  // A changed site has changed no data.
  if (copied && !changes('site', open)) await steps.stop(open);
  if (!open.restored) {
    if (copied) await steps.restore(open, open.id);
    await steps.pointTo(from, open);
    return { restored: true };
  }
  await prepare(from, open, steps);
  await steps.phase(from, 'switch', open);
  await steps.phase(from, 'verify', open);
  return { state: 'rolled-back', pass: null };
}

/**
 * Keeps `to`, which has failed but has changed the data: without a copy, `from` cannot read them. The reason
 * stays.
 */
async function stay(open: Transaction, steps: UpdateSteps): Promise<Partial<Transaction>> {
  await steps.pointTo(open.to, open);
  await steps
    .phase(open.to, 'switch', open)
    .catch((error) => steps.say(open.state, reasonOf(error).message));
  return { state: 'committed', pass: null };
}

/** An administrator can repair an open server, and its other components work. */
async function openAsItIs(open: Transaction, steps: UpdateSteps): Promise<void> {
  try {
    await steps.forgetFacts(open);
    await steps.phase(open.from, 'finish', open);
    await steps.openPorts(open);
  } catch (error) {
    steps.say(open.state, reasonOf(error).message);
  }
}

/** Whether a failure in this state leads back to `from`. */
function isForward(state: TransactionState): boolean {
  return !['committed', 'rolling-back', 'rolled-back', 'stuck'].includes(state);
}
