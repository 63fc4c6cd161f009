import type { CompletionCommand, CompletionTree, CompletionValue } from './script.ts';

/** Lines for fish's `complete`, with descriptions. */
export function fishScript(tree: CompletionTree): string {
  const commands = tree.map(
    ({ name, description }) =>
      `complete -c landfall -n __fish_use_subcommand -f -a ${name} -d ${quote(description)}`,
  );
  return `# Completion of landfall for fish. Written by: landfall completion fish
${[...commands, ...tree.flatMap(linesOf)].join('\n')}
`;
}

function linesOf({ name, options, argument }: CompletionCommand): string[] {
  const inside = `complete -c landfall -n '__fish_seen_subcommand_from ${name}'`;
  const lines = options.map(({ name: long, description, value }) => {
    const flag = `-l ${long.replace(/^--/, '')} -d ${quote(description)}`;
    return `${inside} ${flag}${value === undefined ? '' : ` -r ${flagsFor(value)}`}`;
  });
  return [`${inside} ${flagsFor(argument)}`, ...lines];
}

/** `-F` offers files also where another line turns them off, which `-f` does. */
function flagsFor(value: CompletionValue): string {
  if (typeof value !== 'string') return `-f -a '${value.join(' ')}'`;
  return value === 'files' ? '-F' : '-f';
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
