import { editorCommandOf } from '#editor/command.ts';
import type { CommandContext } from './context.ts';
import { readCa } from './network.ts';
import { secretPrompt } from './prompts.ts';

/** `landfall editor`: the proxy settings of code editors on this computer. */
export function editorCommand(context: CommandContext) {
  const ask = secretPrompt(context);
  return editorCommandOf(() => ({
    ...context,
    platform: process.platform,
    askPassword: ask && (() => ask('Password of the proxy')),
    readCa: () => readCa(context, undefined),
  }));
}
