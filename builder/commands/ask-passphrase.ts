import { isCancel, password } from '@clack/prompts';
import { cancel } from '../progress/cancel.ts';
import type { KeyInputs } from '../sign/private-key.ts';
import type { CommandContext } from './context.ts';

/** Where a key's passphrase may come from in this context: a person only where one can be asked. */
export function keyInputs({ env, stdin, interactive }: CommandContext): KeyInputs {
  return {
    env,
    stdin,
    askPassphrase: interactive ? () => askPassphrase('Passphrase of the key') : undefined,
  };
}

/** Ctrl-C ends the program. */
export async function askPassphrase(message: string): Promise<string> {
  const answer = await password({ message });
  return isCancel(answer) ? await cancel('nothing was changed') : answer;
}
