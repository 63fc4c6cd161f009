import type {
  CompletionCommand,
  CompletionOption,
  CompletionTree,
  CompletionValue,
} from './tree.ts';

/** Returns a function for zsh's completion system, with descriptions. */
export function zshScript(tree: CompletionTree): string {
  return `#compdef landfall
# Completion of landfall for zsh. Written by: landfall completion zsh
_landfall() {
  local -a commands
${commandsOf(tree)}
}
_landfall "$@"
`;
}

/**
 * Completes the commands at the second word, and the arguments of a command after it.
 * @param otherwise a case for another second word
 */
function commandsOf(tree: CompletionTree, otherwise = ''): string {
  return `  commands=(
${tree.map(({ name, description }) => `    ${quote(`${name}:${description}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case $words[2] in
${tree.map(commandCase).join('\n')}${otherwise}
  esac`;
}

function commandCase({ name, options, argument, commands }: CompletionCommand): string {
  const start = `    ${name})\n      shift words; (( CURRENT-- ))\n`;
  const specs = [...options.map(optionSpec), `'*:value:${actionFor(argument)}'`].map(
    (spec) => `      ${spec}`,
  );
  const own = `      _arguments \\\n${specs.join(' \\\n')} ;;`;
  if (commands.length === 0) return `${start}${own}`;
  return `${start}${commandsOf(commands, options.length > 0 ? `\n    *)\n${own}` : '')} ;;`;
}

/**
 * Formats an option for `_arguments`: `*` marks a repeatable option, `=` a value in the same or
 * the next word, brackets the description.
 */
function optionSpec({ name, description, value, repeatable }: CompletionOption): string {
  const about = description.replace(/[[\]]/g, '');
  const rest = value === undefined ? `[${about}]` : `=[${about}]:value:${actionFor(value)}`;
  return quote(`${repeatable ? '*' : ''}${name}${rest}`);
}

/** Returns the action of `_arguments`. A space completes nothing. */
function actionFor(value: CompletionValue): string {
  if (typeof value !== 'string') return `(${value.join(' ')})`;
  return value === 'files' ? '_files' : ' ';
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
