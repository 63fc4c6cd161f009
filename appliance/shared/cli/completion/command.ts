import { Argument, Command } from 'commander';
import type { Output } from '../program.ts';
import { completionScript, shells } from './script.ts';
import { completionTree } from './tree.ts';

const example = `
Example:
  landfall completion bash > ~/.local/share/bash-completion/completions/landfall
  landfall completion zsh > ~/.zfunc/_landfall
  landfall completion fish > ~/.config/fish/completions/landfall.fish
`;

/** Creates `landfall completion`, which prints a shell completion script. */
export function completionCommand({ stdout }: Output): Command {
  const command = new Command('completion')
    .description('print a completion script for your shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .addHelpText('after', example);
  return command.action((shell: (typeof shells)[number]) => {
    stdout.write(completionScript(shell, completionTree(command.parent ?? command)));
  });
}
