import { isCancel } from '@clack/prompts';
import { cancel } from '../progress/reporter.ts';

/** Returns the answer of a prompt. Ctrl-C ends the program. */
export async function unlessCancelled<T>(answer: T): Promise<Exclude<T, symbol>> {
  if (isCancel(answer)) return await cancel('nothing was written');
  return answer as Exclude<T, symbol>;
}
