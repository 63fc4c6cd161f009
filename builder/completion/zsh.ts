import type {
  CompletionCommand,
  CompletionOption,
  CompletionTree,
  CompletionValue,
} from './script.ts';

/** A function for zsh's completion system, with descriptions. */
export function zshScript(tree: CompletionTree): string {
  return `#compdef landfall
# Completion of landfall for zsh. Written by: landfall completion zsh
_landfall() {
  local -a commands=(
${tree.map(({ name, description }) => `    ${quote(`${name}:${description}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case $words[2] in
${tree.map(commandCase).join('\n')}
  esac
}
_landfall "$@"
`;
}

function commandCase({ name, options, argument }: CompletionCommand): string {
  const specs = [...options.map(optionSpec), `'*:value:${actionFor(argument)}'`].map(
    (spec) => `      ${spec}`,
  );
  return `    ${name})\n      shift words; (( CURRENT-- ))\n      _arguments \\\n${specs.join(' \\\n')} ;;`;
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
