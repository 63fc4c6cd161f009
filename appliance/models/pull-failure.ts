import { TransferError } from '#http/transfer-error.ts';
import { failureText } from '../host/pull/failure-text.ts';
import { pullReasons } from './pull-reasons.ts';
import type { PullSource } from './pull-source.ts';

const unknown = {
  code: undefined,
  cause: 'unknown error',
  hint: 'Check the network. Downloaded parts are kept.',
  retriable: true,
};

/** Characters. */
const longestJudged = 2000;

/** Returns the error for a message of Ollama; the message itself is in `problems`. */
export function pullFailure({ name, host }: PullSource, words: string): TransferError {
  // Limited, because the text may come from a registry and matching is not linear.
  const judged = words.slice(0, longestJudged);
  const reason = pullReasons.find((each) => each.words.test(judged)) ?? unknown;
  const { code = 'MODEL_FAILED', cause, hint, retriable } = reason;
  return new TransferError(code, `cannot pull ${name} from ${host}: ${cause}`, {
    hint,
    problems: [{ message: `Ollama reports: ${failureText(words)}` }],
    transient: retriable,
  });
}
