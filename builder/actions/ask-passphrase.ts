import { cancel } from '../progress/reporter.ts';
import type { KeyInputs } from '../sign/private-key.ts';
import type { CommandContext } from './context.ts';

/** Returns the inputs for a key and its passphrase. The user is prompted only on a terminal. */
export function keyInputs({ env, stdin, interactive }: CommandContext): KeyInputs {
  return {
    env,
    stdin,
    askPassphrase: interactive ? () => askPassphrase('Key passphrase') : undefined,
  };
}

/** Prompts for a passphrase. Ctrl-C ends the program. */
export async function askPassphrase(message: string): Promise<string> {
  const { isCancel, password } = await import('@clack/prompts');
  const answer = await password({ message });
  return isCancel(answer) ? await cancel('nothing was changed') : answer;
}
