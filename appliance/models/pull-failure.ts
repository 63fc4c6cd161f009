import { TransferError } from '#http/transfer-error.ts';
import { engineWords } from '../host/engine-words.ts';
import { pullReasons } from './pull-reasons.ts';
import type { PullSource } from './pull-source.ts';

const unknown = {
  code: undefined,
  cause: 'unknown error',
  hint: 'Check the network. Downloaded parts are kept.',
  retriable: true,
};

/** Describes a failed pull by what Ollama says of it; the text itself is in `problems`. */
export function pullFailure({ name, host }: PullSource, words: string): TransferError {
  const reason = pullReasons.find((each) => each.words.test(words)) ?? unknown;
  const { code = 'MODEL_FAILED', cause, hint, retriable } = reason;
  return new TransferError(code, `cannot pull ${name} from ${host}: ${cause}`, {
    hint,
    problems: [{ message: `Ollama reports: ${engineWords(words)}` }],
    transient: retriable,
  });
}
