import { Argument, Command, type Option } from 'commander';
import {
  type CompletionOption,
  type CompletionTree,
  completionScript,
  shells,
} from '../completion/script.ts';
import type { CommandContext } from './context.ts';

const example = `
Example:
  landfall completion bash > ~/.local/share/bash-completion/completions/landfall
  landfall completion zsh > ~/.zfunc/_landfall
  landfall completion fish > ~/.config/fish/completions/landfall.fish
`;

/** `landfall completion`: a script that makes a shell complete commands and options. */
export function completionCommand({ stdout }: CommandContext): Command {
  const command = new Command('completion')
    .description('print a completion script for your shell')
    .addArgument(new Argument('<shell>', 'which shell').choices(shells))
    .addHelpText('after', example);
  return command.action((shell: (typeof shells)[number]) => {
    stdout.write(completionScript(shell, treeOf(command.parent ?? command)));
  });
}

/** What there is to complete, read off the program itself so that the two cannot differ. */
function treeOf(program: Command): CompletionTree {
  return program.commands.map((command) => ({
    name: command.name(),
    description: command.description(),
    options: command.options.map(optionOf),
    choices: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
  }));
}

function optionOf(option: Option): CompletionOption {
  const { long, description, argChoices, required, optional, variadic, defaultValue } = option;
  return {
    name: long ?? '',
    description,
    choices: argChoices ?? [],
    takesValue: required || optional,
    repeatable: variadic || Array.isArray(defaultValue),
  };
}
