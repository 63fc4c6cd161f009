import type { CompletionCommand, CompletionTree } from './script.ts';

/** A function for bash's `complete`, without bash-completion: it is not installed everywhere. */
export function bashScript(tree: CompletionTree): string {
  return `# Completion of landfall for bash. Written by: landfall completion bash
_landfall() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" choices=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    choices="${tree.map(({ name }) => name).join(' ')}"
  else
    case "\${COMP_WORDS[1]} $before" in
${tree.flatMap(valueCases).join('\n')}
    *)
      case "\${COMP_WORDS[1]}" in
${tree.map(commandCase).join('\n')}
      esac
      ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$choices" -- "$word"))
  [ "\${#COMPREPLY[@]}" -gt 0 ] || COMPREPLY=($(compgen -f -- "$word"))
}
complete -o filenames -F _landfall landfall
`;
}

/** After an option with known values come these values; after any other with a value, files. */
function valueCases({ name, options }: CompletionCommand): string[] {
  return options
    .filter(({ takesValue }) => takesValue)
    .map((option) => `    '${name} ${option.name}') choices="${option.choices.join(' ')}" ;;`);
}

function commandCase({ name, options, choices }: CompletionCommand): string {
  const words = [...choices, ...options.map((option) => option.name)];
  return `        ${name}) choices="${words.join(' ')}" ;;`;
}
