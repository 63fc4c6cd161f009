import { randomBytes } from 'node:crypto';
import { LandfallError } from '#contract/errors.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import type { Host } from '../../server/host/host.ts';
import { takeChangeLock, takeRunLock } from '../../server/host/lock/run-lock.ts';
import type { Facts } from '../../server/load-facts.ts';
import {
  type RollbackReason,
  storedTransaction,
  type Transaction,
  type TransactionState,
} from '../../server/records/transaction.ts';
import { changes } from '../transactions/kinds.ts';
import { type Steps, serverSteps } from './steps.ts';

/** An update goes on after two interruptions; the third time it is rolled back. */
const maxAttempts = 3;
/** After so many failures of a rollback that reached the data, it is stuck. */
const maxRollbacks = 5;

/** Applies the open transaction; the program of `landfall-update.service`. */
export async function driveUpdate({ host, site, release: { arch } }: Facts): Promise<void> {
  await takeRunLock(host, 'update');
  // A command of the administrator that changes the server ends first.
  await takeChangeLock(host, console.log, 30 * 60_000);
  await takeRunLock(host, 'first-boot');
  const steps = serverSteps({ host, site, arch });
  await applyTransaction(host, steps);
  // A stuck update: the unit sends the alert again at each start of the server.
  if ((await storedTransaction.read(host)) === undefined) await steps.leave();
}

/**
 * Applies the open transaction until it ends: with the new release, or with everything as it was
 * (decision 66). After an interruption at any point, the next call continues. A rollback that fails too
 * often stays open, as `stuck`.
 * @throws LandfallError of a step that another call may repeat
 */
export async function applyTransaction(host: Host, steps: Steps): Promise<void> {
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
async function advance(open: Transaction, steps: Steps): Promise<Partial<Transaction> | undefined> {
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
      await steps.stop();
      await steps.copy(open);
      return { state: 'copied', copied: plan?.keepsPrevious !== false };
    case 'copied':
      return { state: 'switching' };
    case 'switching':
      if (open.restoreFrom !== null && !changes('site', open)) {
        await steps.restore(open, open.restoreFrom);
      }
      await steps.pointTo(to);
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
      await steps.openPorts();
      await steps.end(open);
      return undefined;
    case 'rolling-back':
      if (mayChangeData(open)) await steps.stop();
      if (!open.restored && plan?.keepsPrevious === false && !(await steps.fitsFrom(open))) {
        return await stay(open, steps);
      }
      return await rollBack(open, steps);
    case 'rolled-back':
      await steps.phase(from, 'finish', open);
      await steps.openPorts();
      await steps.end(open);
      return undefined;
    case 'stuck':
      if (open.restored && open.pass === null) await openAsItIs(open, steps);
      await steps.end(open);
      return undefined;
  }
}

/** Tests the server as it is. Without a result, all tests must pass afterwards. */
async function testBefore(open: Transaction, steps: Steps): Promise<void> {
  await steps
    .phase(open.from, 'baseline', open)
    .catch(({ message }) => steps.say(open.state, message));
}

/**
 * Whether `to` may run and change the data, also after it counts as failed. Then the copy would lose changes; without a
 * copy, `from` could be started on data that it cannot read.
 */
function mayChangeData({ kind, copied, plan, closedAt }: Transaction): boolean {
  if (changes('site', { kind })) return false;
  return copied || (plan?.keepsPrevious === false && closedAt !== null);
}

/** A restored backup changes nothing before the stack. */
async function prepare(version: string, open: Transaction, steps: Steps): Promise<void> {
  if (!changes('data', open)) await steps.phase(version, 'prepare', open);
}

/** Brings `from` back, with its data. */
async function rollBack(open: Transaction, steps: Steps): Promise<Partial<Transaction>> {
  const { from, copied } = open;
  if (!open.restored) {
    if (copied) await steps.restore(open, open.id);
    await steps.pointTo(from);
    return { restored: true };
  }
  await prepare(from, open, steps);
  await steps.phase(from, 'switch', open);
  await steps.phase(from, 'verify', open);
  return { state: 'rolled-back', pass: null };
}

/**
 * Keeps `to`, which has failed but has changed the data: without a copy, `from` cannot read them. The reason
 * stays. It may fail its checks again, but its containers must run: they were stopped before.
 */
async function stay(open: Transaction, steps: Steps): Promise<Partial<Transaction>> {
  await steps.pointTo(open.to);
  try {
    await steps.phase(open.to, 'switch', open);
  } catch (error) {
    if (!(await steps.runs())) throw error;
    steps.say(open.state, reasonOf(error).message);
  }
  return { state: 'committed', pass: null };
}

/** An administrator can repair an open server, and its other components work. */
async function openAsItIs(open: Transaction, steps: Steps): Promise<void> {
  try {
    await steps.forgetFacts(open);
    await steps.phase(open.from, 'finish', open);
    await steps.openPorts();
  } catch (error) {
    steps.say(open.state, reasonOf(error).message);
  }
}

/** Whether a failure in this state leads back to `from`. */
function isForward(state: TransactionState): boolean {
  return !['committed', 'rolling-back', 'rolled-back', 'stuck'].includes(state);
}

/**
 * Returns the change after the last failure of a rollback. The server is opened only with the data of
 * before: what users write to other data would be lost when the rollback goes on.
 */
export function givenUp(open: Transaction, error: unknown): Partial<Transaction> {
  const { message, problems } = reasonOf(error);
  const before = open.reason ?? { code: 'UPDATE_FAILED', message, problems: [] };
  const all = [...before.problems, `the earlier release: ${message}`, ...problems];
  const hasData = open.restored && open.plan?.keepsPrevious !== false;
  return {
    ...{ state: 'stuck', pass: hasData ? null : open.pass },
    reason: { ...before, problems: all.slice(-20) },
  };
}

/** Returns a failure as the reason of a rollback. */
export function reasonOf(error: unknown): RollbackReason {
  const text = error as Error;
  const { code, problems } =
    error instanceof LandfallError ? error : { code: 'UPDATE_FAILED', problems: [] };
  // The error of a phase has the code of the child in its message.
  const message = code === 'UPDATE_FAILED' ? text.message : `${code}: ${text.message}`;
  return {
    code,
    message: plainLine(message, 1000),
    problems: problems.slice(0, 20).map((problem) => plainLine(problem.message, 500)),
  };
}

/** Returns the reason of an update that was interrupted too often. */
export function interrupted({ state, attempt }: Transaction): RollbackReason {
  const message = `the update was interrupted ${attempt - 1} times, the last time while ${state}`;
  return { code: 'UPDATE_FAILED', message, problems: [] };
}
