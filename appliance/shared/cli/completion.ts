import { Argument, Command, type CommandUnknownOpts } from 'commander';
import { inLanguage, type Text } from '#contract/text/language.ts';
import type { Output } from './program.ts';

const example: Text = {
  en: `
Example:
  landfall completion bash > ~/.local/share/bash-completion/completions/landfall
  landfall completion zsh > ~/.zfunc/_landfall
  landfall completion fish > ~/.config/fish/completions/landfall.fish
`,
  zh: `
示例：
  landfall completion bash > ~/.local/share/bash-completion/completions/landfall
  landfall completion zsh > ~/.zfunc/_landfall
  landfall completion fish > ~/.config/fish/completions/landfall.fish
`,
};

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

/** Creates `landfall completion`, which prints a shell completion script. */
export function completionCommand({ stdout }: Output) {
  const command = new Command('completion')
    .description('print a completion script for your shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .addHelpText('after', inLanguage(example));
  return command.action((shell) => {
    stdout.write(completionScript(shell, command.parent ?? command));
  });
}

interface Word {
  readonly name: string;
  readonly description: string;
}

/** Words, and whether files fit. */
interface Offer {
  readonly words: readonly Word[];
  readonly files: boolean;
}

/** An option, with the dashes in its name, and its values; undefined for one without a value. */
interface CompletedOption extends Word {
  readonly value: Offer | undefined;
}

/** A command, and what can follow it. */
interface CompletedCommand extends Offer {
  /** The names above it and its own, each after a space: ` models pull`. Empty for the program. */
  readonly path: string;
  readonly options: readonly CompletedOption[];
}

/** Returns the completion script of a shell. File names are offered only for file arguments. */
export function completionScript(shell: Shell, program: CommandUnknownOpts): string {
  const commands = completedCommands(program, '');
  const start = `# Completion of landfall for ${shell}. Written by: landfall completion ${shell}\n`;
  return {
    bash: () => start + bashScript(commands),
    zsh: () => `#compdef landfall\n${start}${zshScript(commands)}`,
    fish: () => start + fishScript(commands),
  }[shell]();
}

/** Returns a command and those below it, from the program itself so that both stay in sync. */
function completedCommands(command: CommandUnknownOpts, path: string): CompletedCommand[] {
  const help = command.createHelp();
  const inner = help.visibleCommands(command);
  const options = help.visibleOptions(command);
  // The second value of `--release one two` is parsed like an argument.
  const variadic = options.find((option) => option.variadic);
  const [argument] = command.registeredArguments;
  const words = inner.map((each) => ({ name: each.name(), description: each.description() }));
  const offer = argument
    ? offerOf(argument.name(), argument.argChoices)
    : offerOf(variadic && placeholderOf(variadic.flags), variadic?.argChoices);
  const own: CompletedCommand = {
    path,
    ...(inner.length > 0 ? { words, files: false } : offer),
    options: options.map(({ long, description, flags, argChoices }) => {
      const placeholder = placeholderOf(flags);
      const value = placeholder === undefined ? undefined : offerOf(placeholder, argChoices);
      return { name: long ?? '', description, value };
    }),
  };
  const below = inner.flatMap((each) =>
    each.name() === 'help'
      ? [{ ...own, path: `${path} help`, options: [] }]
      : completedCommands(each, `${path} ${each.name()}`),
  );
  return [own, ...below];
}

/** Placeholders of values that are or may be files. */
const filePlaceholders = new Set(['file', 'folder', 'bundle', 'path', 'source', 'key']);

function offerOf(placeholder = '', choices?: readonly string[]): Offer {
  const words = (choices ?? []).map((name) => ({ name, description: '' }));
  return { words, files: choices === undefined && filePlaceholders.has(placeholder) };
}

function placeholderOf(flags: string): string | undefined {
  return /[<[]([a-z]+)/.exec(flags)?.[1];
}

/**
 * Returns a function for bash's `complete`. It does not need bash-completion, which may be missing.
 * bash itself completes files (`-o default`), including spaces and `~`; other values turn that off.
 * bash splits `--arch=a` into three words unless COMP_WORDBREAKS has no equals sign.
 */
function bashScript(commands: readonly CompletedCommand[]): string {
  return `_landfall() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" prefix=""
  local -a seen=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")
  if [ "$word" = "=" ]; then
    word=""
  elif [ "$before" = "=" ]; then
    before="\${COMP_WORDS[COMP_CWORD-2]}"
  else
    case "$word" in
      --*=*) before="\${word%%=*}" prefix="\${word%%=*}=" word="\${word#*=}" ;;
    esac
  fi
${offersIn(commands)}
  COMPREPLY=($(compgen -P "$prefix" -W "\${offers[*]%%:*}" -- "$word"))
  [ -n "$files" ] || compopt +o default 2>/dev/null
}
complete -o default -F _landfall landfall
`;
}

/** Returns a function for zsh's completion system, with descriptions. */
function zshScript(commands: readonly CompletedCommand[]): string {
  return `_landfall() {
  local word="\${words[CURRENT]}" before="\${words[CURRENT-1]}"
  local -a seen=("\${(@)words[2,CURRENT-1]}")
  case "$word" in
    --*=*) compset -P '*='; before="\${word%%=*}" word="\${word#*=}" ;;
  esac
${offersIn(commands)}
  (( $#offers )) && _describe value offers
  [ -z "$files" ] || _files
}
_landfall "$@"
`;
}

/**
 * Returns lines for bash and zsh that set `offers` and `files` for a word, the one before it, and all
 * before it (`seen`). Descriptions follow a colon.
 */
function offersIn(commands: readonly CompletedCommand[]): string {
  const [, ...paths] = commands.map(({ path }) => `'${path}'`);
  const called = commands.map(
    ({ path, options, ...offer }) =>
      `    '${path}') options=(${arrayOf(options)}) ${assignments(offer)} ;;`,
  );
  const values = commands.flatMap(({ path, options }) =>
    options.flatMap(({ name, value }) =>
      value ? [`    '${path} ${name}') ${assignments(value)} ;;`] : [],
    ),
  );
  return `  local called="" each files=""
  local -a offers=() options=()
  for each in "\${seen[@]}"; do
    case "$called $each" in
      ${paths.join(' | ')}) called="$called $each" ;;
      *) break ;;
    esac
  done
  case "$called" in
${called.join('\n')}
  esac
  case "$called $before" in
${values.join('\n')}
  esac
  case "$word" in
    -*) offers=("\${options[@]}") files="" ;;
  esac`;
}

function assignments({ words, files }: Offer): string {
  return `offers=(${arrayOf(words)}) files="${files ? 'yes' : ''}"`;
}

function arrayOf(words: readonly Word[]): string {
  return words.map(({ name, description }) => quote(`${name}:${description}`)).join(' ');
}

/** Returns lines for fish's `complete`, with descriptions. `-F` offers files despite `-f`. */
function fishScript(commands: readonly CompletedCommand[]): string {
  const [, ...paths] = commands.map(({ path }) => `'${path}'`);
  const lines = commands.flatMap(({ path, words, files, options }) => {
    const start = `complete -c landfall -n "__landfall_called '${path}'"`;
    return [
      `${start} ${files ? '-F' : '-f'}`,
      ...words.map(({ name, description }) => `${start} -f -a ${name} -d ${quote(description)}`),
      ...options.map(({ name, description, value }) => {
        const flag = `${start} -l ${name.replace(/^--/, '')} -d ${quote(description)}`;
        if (value === undefined) return flag;
        const choices = value.words.map((word) => word.name).join(' ');
        return `${flag} -r ${value.files ? '-F' : `-f -a '${choices}'`}`;
      }),
    ];
  });
  return `function __landfall_called
  set -l called ''
  for each in (commandline -opc)[2..-1]
    contains -- "$called $each" ${paths.join(' ')}; or break
    set called "$called $each"
  end
  test "$called" = "$argv[1]"
end
${lines.join('\n')}
`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
