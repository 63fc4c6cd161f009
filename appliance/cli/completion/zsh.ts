import type {
  CompletionCommand,
  CompletionOption,
  CompletionTree,
  CompletionValue,
} from './tree.ts';

/** A function for zsh's completion system, with descriptions. */
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

/** Offers the commands for the second word, or what the command takes that it names. */
function commandsOf(tree: CompletionTree): string {
  return `  commands=(
${tree.map(({ name, description }) => `    ${quote(`${name}:${description}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case $words[2] in
${tree.map(commandCase).join('\n')}
  esac`;
}

function commandCase({ name, options, argument, commands }: CompletionCommand): string {
  const start = `    ${name})\n      shift words; (( CURRENT-- ))\n`;
  if (commands.length > 0) return `${start}${commandsOf(commands)} ;;`;
  const specs = [...options.map(optionSpec), `'*:value:${actionFor(argument)}'`].map(
    (spec) => `      ${spec}`,
  );
  return `${start}      _arguments \\\n${specs.join(' \\\n')} ;;`;
}

/**
 * In zsh's own notation: an asterisk for what may come again, an equals sign for a value that is
 * another word or follows one, brackets around what it does.
 */
function optionSpec({ name, description, value, repeatable }: CompletionOption): string {
  const about = description.replace(/[[\]]/g, '');
  const rest = value === undefined ? `[${about}]` : `=[${about}]:value:${actionFor(value)}`;
  return quote(`${repeatable ? '*' : ''}${name}${rest}`);
}

/** A blank offers nothing. */
function actionFor(value: CompletionValue): string {
  if (typeof value !== 'string') return `(${value.join(' ')})`;
  return value === 'files' ? '_files' : ' ';
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
