import type { CompletionCommand, CompletionTree, CompletionValue } from './tree.ts';
import { zshScript } from './zsh.ts';

/**
 * Returns a function for bash's `complete`. It does not need bash-completion, which may be missing.
 * bash itself completes files (`-o default`), including spaces and `~`; other values turn that off.
 * bash splits `--arch=a` into three words unless COMP_WORDBREAKS has no equals sign.
 */
function bashScript(tree: CompletionTree): string {
  return `# Completion of landfall for bash. Written by: landfall completion bash
_landfall() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}"
  local options="" choices="" files="" prefix="" called=""
  if [ "$word" = "=" ]; then
    word=""
  elif [ "$before" = "=" ]; then
    before="\${COMP_WORDS[COMP_CWORD-2]}"
  else
    case "$word" in
      --*=*) before="\${word%%=*}" prefix="\${word%%=*}=" word="\${word#*=}" ;;
    esac
  fi
  if [ "$COMP_CWORD" -gt 1 ]; then
    called="\${COMP_WORDS[1]}"
  fi
${groupCase(tree)}  case "$called" in
    '') options="--help --version" choices="${namesOf(tree)}" ;;
${tree.flatMap((command) => commandCases(command, command.name)).join('\n')}
    help) choices="${tree.map(({ name }) => name).join(' ')}" ;;
  esac
  case "$called $before" in
${tree.flatMap((command) => valueCases(command, command.name)).join('\n')}
  esac
  case "$word" in
    -*) choices="$options" files="" ;;
  esac
  COMPREPLY=($(compgen -P "$prefix" -W "$choices" -- "$word"))
  [ -n "$files" ] || compopt +o default 2>/dev/null
}
complete -o default -F _landfall landfall
`;
}

/** A subcommand is the second word. A command with subcommands can also have arguments. */
function groupCase(tree: CompletionTree): string {
  const paths = tree.flatMap(({ name, commands }) =>
    commands.map((inner) => `'${name} ${inner.name}'`),
  );
  if (paths.length === 0) return '';
  return `  case "$called \${COMP_WORDS[2]-}" in
    ${paths.join(' | ')}) [ "$COMP_CWORD" -eq 2 ] || called="$called \${COMP_WORDS[2]}" ;;
  esac
`;
}

function commandCases(command: CompletionCommand, path: string): string[] {
  const { options, argument, commands } = command;
  const names = [...options.map((option) => option.name), '--help'];
  const values =
    commands.length > 0 ? `choices="${namesOf(commands)}" files=""` : assignments(argument);
  return [
    `    '${path}') options="${names.join(' ')}" ${values} ;;`,
    ...commands.flatMap((inner) => commandCases(inner, `${path} ${inner.name}`)),
  ];
}

function valueCases({ options, commands }: CompletionCommand, path: string): string[] {
  const own = options.flatMap((option) =>
    option.value === undefined
      ? []
      : [`    '${path} ${option.name}') ${assignments(option.value)} ;;`],
  );
  return [...own, ...commands.flatMap((inner) => valueCases(inner, `${path} ${inner.name}`))];
}

function namesOf(tree: CompletionTree): string {
  return [...tree.map(({ name }) => name), 'help'].join(' ');
}

function assignments(value: CompletionValue): string {
  if (typeof value !== 'string') return `choices="${value.join(' ')}" files=""`;
  return `choices="" files="${value === 'files' ? 'yes' : ''}"`;
}

/** Returns lines for fish's `complete`, with descriptions. */
function fishScript(tree: CompletionTree): string {
  const commands = tree.map(
    ({ name, description }) =>
      `complete -c landfall -n __fish_use_subcommand -f -a ${name} -d ${quote(description)}`,
  );
  const lines = tree.flatMap((command) => linesOf(command, whereCalled(command.name, tree)));
  return `# Completion of landfall for fish. Written by: landfall completion fish
${[...commands, ...lines].join('\n')}
`;
}

/** Distinguishes `landfall tls status` from `landfall status`: fish only checks the seen words. */
function whereCalled(name: string, tree: CompletionTree): string {
  const groups = tree
    .filter(({ commands }) => commands.some((inner) => inner.name === name))
    .map((group) => group.name);
  const others =
    groups.length === 0 ? '' : `; and not __fish_seen_subcommand_from ${groups.join(' ')}`;
  return `__fish_seen_subcommand_from ${name}${others}`;
}

function linesOf({ options, argument, commands }: CompletionCommand, where: string): string[] {
  const inside = `complete -c landfall -n '${where}'`;
  const lines = options.map(({ name: long, description, value }) => {
    const flag = `-l ${long.replace(/^--/, '')} -d ${quote(description)}`;
    return `${inside} ${flag}${value === undefined ? '' : ` -r ${flagsFor(value)}`}`;
  });
  if (commands.length === 0) return [`${inside} ${flagsFor(argument)}`, ...lines];
  const names = commands.map(({ name }) => name).join(' ');
  const undecided = `complete -c landfall -n '${where}; and not __fish_seen_subcommand_from ${names}'`;
  return [
    ...commands.map(
      ({ name, description }) => `${undecided} -f -a ${name} -d ${quote(description)}`,
    ),
    ...lines,
    ...commands.flatMap((inner) =>
      linesOf(inner, `${where}; and __fish_seen_subcommand_from ${inner.name}`),
    ),
  ];
}

/** `-F` offers files even if another line disables them with `-f`. */
function flagsFor(value: CompletionValue): string {
  if (typeof value !== 'string') return `-f -a '${value.join(' ')}'`;
  return value === 'files' ? '-F' : '-f';
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

export const shells = ['bash', 'zsh', 'fish'] as const;

const writers = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** Returns the completion script of a shell. File names are offered only for file arguments. */
export function completionScript(shell: (typeof shells)[number], tree: CompletionTree): string {
  return writers[shell](tree);
}
