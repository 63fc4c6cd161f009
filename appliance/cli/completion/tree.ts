import type { Command, Option } from 'commander';

/** What a shell can complete: the commands with their options and values. */
export type CompletionTree = readonly CompletionCommand[];

export interface CompletionCommand {
  readonly name: string;
  readonly description: string;
  readonly options: readonly CompletionOption[];
  /** What its own arguments are. */
  readonly argument: CompletionValue;
  /** Its subcommands: `models pull`. Empty for most commands. */
  readonly commands: CompletionTree;
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

/** Returns what there is to complete, read off the program itself so that the two cannot differ. */
export function completionTree(program: Command): CompletionTree {
  const visible = new Set(program.createHelp().visibleCommands(program));
  return program.commands.filter((command) => visible.has(command)).map(commandOf);
}

function commandOf(command: Command): CompletionCommand {
  const options = command.options.filter(({ hidden }) => !hidden);
  // The second value of `--release one two` looks like an argument.
  const variadic = options.find((option) => option.variadic);
  const [argument] = command.registeredArguments;
  return {
    name: command.name(),
    description: command.description(),
    options: options.map(optionOf),
    argument: argument
      ? valueKind(argument.name(), argument.argChoices)
      : ((variadic && optionOf(variadic).value) ?? 'unknown'),
    commands: completionTree(command),
  };
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
