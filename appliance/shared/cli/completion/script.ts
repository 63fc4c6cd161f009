import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import type { CompletionTree } from './tree.ts';
import { zshScript } from './zsh.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;

const writers = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** Returns the completion script of a shell. File names are offered only for file arguments. */
export function completionScript(shell: (typeof shells)[number], tree: CompletionTree): string {
  return writers[shell](tree);
}
