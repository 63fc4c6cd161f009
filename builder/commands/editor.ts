import type { Command } from 'commander';
import { editorCommandOf } from '#editor/command.ts';
import type { CommandContext } from '../actions/context.ts';

/** `landfall editor`: the proxy settings of code editors on this computer. */
export function editorCommand(context: CommandContext): Command {
  return editorCommandOf(async () => {
    const { editorContext } = await import('../actions/editor.ts');
    return editorContext(context);
  });
}
