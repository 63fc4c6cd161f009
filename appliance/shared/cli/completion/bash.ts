import type { CompletionCommand, CompletionTree, CompletionValue } from './tree.ts';

/**
 * Returns a function for bash's `complete`. It does not need bash-completion, which may be missing.
 * bash itself completes files (`-o default`), including spaces and `~`; other values turn that off.
 * bash splits `--arch=a` into three words unless COMP_WORDBREAKS has no equals sign.
 */
export function bashScript(tree: CompletionTree): string {
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
