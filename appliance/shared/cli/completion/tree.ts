import type { Command, Option } from 'commander';

/** The commands that a shell completes, with their options and values. */
export type CompletionTree = readonly CompletionCommand[];

export interface CompletionCommand {
  readonly name: string;
  readonly description: string;
  readonly options: readonly CompletionOption[];
  /** Kind of its arguments. */
  readonly argument: CompletionValue;
  /** Its subcommands: `models pull`. Empty for most commands. */
  readonly commands: CompletionTree;
}

export interface CompletionOption {
  /** Including the dashes. */
  readonly name: string;
  readonly description: string;
  /** Undefined for an option without a value. */
  readonly value: CompletionValue | undefined;
  /** Whether it may be repeated. */
  readonly repeatable: boolean;
}

/** Kind of a value: a fixed choice, a file or folder, or a value without completion. */
export type CompletionValue = readonly string[] | 'files' | 'unknown';

/** Returns the completion data, generated from the program itself so that both stay in sync. */
export function completionTree(program: Command): CompletionTree {
  const visible = new Set(program.createHelp().visibleCommands(program));
  return program.commands.filter((command) => visible.has(command)).map(commandOf);
}

function commandOf(command: Command): CompletionCommand {
  const options = command.options.filter(({ hidden }) => !hidden);
  // The second value of `--release one two` is parsed like an argument.
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

/** Placeholders of values that are or may be files. */
const filePlaceholders = new Set(['file', 'folder', 'bundle', 'path', 'source', 'key']);

function valueKind(placeholder: string, choices: readonly string[] | undefined): CompletionValue {
  return choices ?? (filePlaceholders.has(placeholder) ? 'files' : 'unknown');
}
