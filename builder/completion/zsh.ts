import type { CompletionCommand, CompletionOption, CompletionTree } from './script.ts';

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

function commandCase({ name, options, choices }: CompletionCommand): string {
  const argument = choices.length > 0 ? `'*:value:(${choices.join(' ')})'` : "'*:file:_files'";
  const specs = [...options.map(optionSpec), argument].map((spec) => `      ${spec}`);
  return `    ${name})\n      shift words; (( CURRENT-- ))\n      _arguments \\\n${specs.join(' \\\n')} ;;`;
}

/** In zsh's own notation: an asterisk for what may come again, brackets around what it does. */
function optionSpec(option: CompletionOption): string {
  const { name, description, choices, takesValue, repeatable } = option;
  const value = choices.length > 0 ? `(${choices.join(' ')})` : '_files';
  const about = description.replace(/[[\]]/g, '');
  return quote(`${repeatable ? '*' : ''}${name}[${about}]${takesValue ? `:value:${value}` : ''}`);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
