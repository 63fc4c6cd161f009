import { LandfallError } from '#contract/errors.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import type { RollbackReason, Transaction } from '../../server/records/transaction.ts';

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
