import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { zshScript } from './zsh.ts';

/** What a shell can complete: the commands with their options and values. */
export type CompletionTree = readonly CompletionCommand[];

export interface CompletionCommand {
  readonly name: string;
  readonly description: string;
  readonly options: readonly CompletionOption[];
  /** Values of the command's own argument, where they are known. */
  readonly choices: readonly string[];
}

export interface CompletionOption {
  /** With its dashes. */
  readonly name: string;
  readonly description: string;
  /** Known values; empty where any value will do. */
  readonly choices: readonly string[];
  readonly takesValue: boolean;
  /** It may be given more than once. */
  readonly repeatable: boolean;
}

export const shells = ['bash', 'zsh', 'fish'] as const;

const writers = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** The completion script for a shell. Files are completed wherever nothing better is known. */
export function completionScript(shell: (typeof shells)[number], tree: CompletionTree): string {
  return writers[shell](tree);
}
