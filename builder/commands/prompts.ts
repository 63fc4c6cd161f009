import type { Readable, Writable } from 'node:stream';
import { say } from '#contract/text/language.ts';
import { translated } from '#contract/text/translated.ts';
import type { CommandContext } from './context.ts';

/** Prompts for a secret, which must not be empty. Ctrl-C ends the program. */
export async function askSecret(context: CommandContext, message: string): Promise<string> {
  const { password } = await import('@clack/prompts');
  const validate = (secret = '') => (secret === '' ? translated('Enter a value.') : undefined);
  return await unlessCancelled(
    await password({ ...streamsOf(context), message: translated(message), validate }),
  );
}

/** Returns a prompt for secrets; undefined if the user cannot be prompted. */
export function secretPrompt(
  context: CommandContext,
): ((message: string) => Promise<string>) | undefined {
  return context.interactive ? (message) => askSecret(context, message) : undefined;
}

/** Asks whether to go on. Ctrl-C ends the program. */
export async function askToConfirm(context: CommandContext, message: string): Promise<boolean> {
  const { confirm } = await import('@clack/prompts');
  const prompt = {
    ...{ ...streamsOf(context), message: translated(message), initialValue: true },
    ...{ active: say('Yes', '是'), inactive: say('No', '否') },
  };
  return await unlessCancelled(await confirm(prompt));
}

/** clack requires Node's stream classes; the streams of a terminal are instances of them. */
function streamsOf({ stdin, stderr }: CommandContext): { input: Readable; output: Writable } {
  return { input: stdin as Readable, output: stderr as Writable };
}

async function unlessCancelled<T>(answer: T): Promise<Exclude<T, symbol>> {
  const { isCancel } = await import('@clack/prompts');
  const { cancel } = await import('../base/progress/reporter.ts');
  if (isCancel(answer)) return await cancel('nothing was changed');
  return answer as Exclude<T, symbol>;
}
