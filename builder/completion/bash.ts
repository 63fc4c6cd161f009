import type { CompletionCommand, CompletionTree, CompletionValue } from './script.ts';

/**
 * A function for bash's `complete`, without bash-completion: it is not installed everywhere. Where a
 * file is meant, bash completes it (`-o default`), which knows spaces and `~`; elsewhere that is
 * turned off. bash takes `--arch=a` for three words, unless COMP_WORDBREAKS has no equals sign.
 */
export function bashScript(tree: CompletionTree): string {
  return `# Completion of landfall for bash. Written by: landfall completion bash
_landfall() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}"
  local options="" choices="" files="" prefix=""
  if [ "$word" = "=" ]; then
    word=""
  elif [ "$before" = "=" ]; then
    before="\${COMP_WORDS[COMP_CWORD-2]}"
  else
    case "$word" in
      --*=*) before="\${word%%=*}" prefix="\${word%%=*}=" word="\${word#*=}" ;;
    esac
  fi
  if [ "$COMP_CWORD" -eq 1 ]; then
    options="--help --version"
    choices="${tree.map(({ name }) => name).join(' ')} help"
  else
    case "\${COMP_WORDS[1]}" in
${tree.map(commandCase).join('\n')}
      help) choices="${tree.map(({ name }) => name).join(' ')}" ;;
    esac
    case "\${COMP_WORDS[1]} $before" in
${tree.flatMap(valueCases).join('\n')}
    esac
  fi
  case "$word" in
    -*) choices="$options" files="" ;;
  esac
  COMPREPLY=($(compgen -P "$prefix" -W "$choices" -- "$word"))
  [ -n "$files" ] || compopt +o default 2>/dev/null
}
complete -o default -F _landfall landfall
`;
}

function commandCase({ name, options, argument }: CompletionCommand): string {
  const names = [...options.map((option) => option.name), '--help'];
  return `      ${name}) options="${names.join(' ')}" ${assignments(argument)} ;;`;
}

function valueCases({ name, options }: CompletionCommand): string[] {
  return options.flatMap((option) =>
    option.value === undefined
      ? []
      : [`      '${name} ${option.name}') ${assignments(option.value)} ;;`],
  );
}

function assignments(value: CompletionValue): string {
  if (typeof value !== 'string') return `choices="${value.join(' ')}" files=""`;
  return `choices="" files="${value === 'files' ? 'yes' : ''}"`;
}
