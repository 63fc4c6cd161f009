import { Argument, Command, type Option } from 'commander';
import {
  type CompletionOption,
  type CompletionTree,
  type CompletionValue,
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
  return program.commands.map((command) => {
    const options = command.options.map(optionOf);
    // The second value of `--release one two` looks like an argument.
    const variadic = command.options.find((option) => option.variadic);
    const [argument] = command.registeredArguments;
    return {
      name: command.name(),
      description: command.description(),
      options,
      argument: argument
        ? valueKind(argument.name(), argument.argChoices)
        : ((variadic && optionOf(variadic).value) ?? 'unknown'),
    };
  });
}

function optionOf(option: Option): CompletionOption {
  const { long, flags, description, argChoices, variadic, defaultValue } = option;
  const [, placeholder] = /[<[]([a-z]+)/.exec(flags) ?? [];
  return {
    name: long ?? '',
    description,
    value: placeholder === undefined ? undefined : valueKind(placeholder, argChoices),
    repeatable: variadic || Array.isArray(defaultValue),
  };
}

/** Names of values that are files or may be. */
const filePlaceholders = new Set(['file', 'folder', 'bundle', 'path', 'source', 'key']);

function valueKind(placeholder: string, choices: readonly string[] | undefined): CompletionValue {
  return choices ?? (filePlaceholders.has(placeholder) ? 'files' : 'unknown');
}
