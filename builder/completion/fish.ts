import type { CompletionCommand, CompletionTree } from './script.ts';

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

function linesOf({ name, options, choices }: CompletionCommand): string[] {
  const inside = `-n '__fish_seen_subcommand_from ${name}'`;
  const values =
    choices.length > 0 ? [`complete -c landfall ${inside} -f -a '${choices.join(' ')}'`] : [];
  const lines = options.map((option) => {
    const value = option.choices.length > 0 ? ` -x -a '${option.choices.join(' ')}'` : ' -r';
    const flag = `-l ${option.name.replace(/^--/, '')} -d ${quote(option.description)}`;
    return `complete -c landfall ${inside} ${flag}${option.takesValue ? value : ''}`;
  });
  return [...values, ...lines];
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
