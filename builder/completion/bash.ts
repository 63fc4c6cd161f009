import type { CompletionCommand, CompletionTree } from './script.ts';

/**
 * A function for bash's `complete`, without bash-completion: it is not installed everywhere. Where
 * it offers nothing, bash completes files by itself (`-o default`), which knows spaces and `~`.
 */
export function bashScript(tree: CompletionTree): string {
  return `# Completion of landfall for bash. Written by: landfall completion bash
_landfall() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}"
  local options="" choices=""
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
    -*) choices="$options" ;;
  esac
  COMPREPLY=($(compgen -W "$choices" -- "$word"))
}
complete -o default -F _landfall landfall
`;
}

function commandCase({ name, options, choices }: CompletionCommand): string {
  const names = [...options.map((option) => option.name), '--help'];
  return `      ${name}) options="${names.join(' ')}" choices="${choices.join(' ')}" ;;`;
}

/** After an option with known values come these values; after any other with a value, files. */
function valueCases({ name, options }: CompletionCommand): string[] {
  return options
    .filter(({ takesValue }) => takesValue)
    .map((option) => `      '${name} ${option.name}') choices="${option.choices.join(' ')}" ;;`);
}
