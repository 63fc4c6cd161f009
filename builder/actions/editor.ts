import type { EditorContext } from '#editor/actions.ts';
import { askPassphrase } from './ask-passphrase.ts';
import type { CommandContext } from './context.ts';
import { readCa } from './read-ca.ts';

/** Returns the context of the editor actions. Prompts only on a terminal; Ctrl-C ends the program. */
export function editorContext(context: CommandContext): EditorContext {
  return {
    ...context,
    platform: process.platform,
    askPassword: context.interactive ? () => askPassphrase('Password of the proxy') : undefined,
    readCa: () => readCa(context, undefined),
  };
}
