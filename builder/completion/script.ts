import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { zshScript } from './zsh.ts';

/** What a shell can complete: the commands with their options and values. */
export type CompletionTree = readonly CompletionCommand[];

export interface CompletionCommand {
  readonly name: string;
  readonly description: string;
  readonly options: readonly CompletionOption[];
  /** What its own arguments are. */
  readonly argument: CompletionValue;
}

export interface CompletionOption {
  /** With its dashes. */
  readonly name: string;
  readonly description: string;
  /** Undefined for an option without a value. */
  readonly value: CompletionValue | undefined;
  /** It may be given more than once. */
  readonly repeatable: boolean;
}

/** What a value is: one of some texts, a file or a folder, or something that no shell knows. */
export type CompletionValue = readonly string[] | 'files' | 'unknown';

export const shells = ['bash', 'zsh', 'fish'] as const;

const writers = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** The completion script for a shell. File names are offered only where a file is meant. */
export function completionScript(shell: (typeof shells)[number], tree: CompletionTree): string {
  return writers[shell](tree);
}
