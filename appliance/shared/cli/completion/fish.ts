import type { CompletionCommand, CompletionTree, CompletionValue } from './tree.ts';

/** Returns lines for fish's `complete`, with descriptions. */
export function fishScript(tree: CompletionTree): string {
  const commands = tree.map(
    ({ name, description }) =>
      `complete -c landfall -n __fish_use_subcommand -f -a ${name} -d ${quote(description)}`,
  );
  const lines = tree.flatMap((command) => linesOf(command, whereCalled(command.name, tree)));
  return `# Completion of landfall for fish. Written by: landfall completion fish
${[...commands, ...lines].join('\n')}
`;
}

/** Distinguishes `landfall tls status` from `landfall status`: fish only checks the seen words. */
function whereCalled(name: string, tree: CompletionTree): string {
  const groups = tree
    .filter(({ commands }) => commands.some((inner) => inner.name === name))
    .map((group) => group.name);
  const others =
    groups.length === 0 ? '' : `; and not __fish_seen_subcommand_from ${groups.join(' ')}`;
  return `__fish_seen_subcommand_from ${name}${others}`;
}

function linesOf({ options, argument, commands }: CompletionCommand, where: string): string[] {
  const inside = `complete -c landfall -n '${where}'`;
  const lines = options.map(({ name: long, description, value }) => {
    const flag = `-l ${long.replace(/^--/, '')} -d ${quote(description)}`;
    return `${inside} ${flag}${value === undefined ? '' : ` -r ${flagsFor(value)}`}`;
  });
  if (commands.length === 0) return [`${inside} ${flagsFor(argument)}`, ...lines];
  const names = commands.map(({ name }) => name).join(' ');
  const undecided = `complete -c landfall -n '${where}; and not __fish_seen_subcommand_from ${names}'`;
  return [
    ...commands.map(
      ({ name, description }) => `${undecided} -f -a ${name} -d ${quote(description)}`,
    ),
    ...lines,
    ...commands.flatMap((inner) =>
      linesOf(inner, `${where}; and __fish_seen_subcommand_from ${inner.name}`),
    ),
  ];
}

/** `-F` offers files even if another line disables them with `-f`. */
function flagsFor(value: CompletionValue): string {
  if (typeof value !== 'string') return `-f -a '${value.join(' ')}'`;
  return value === 'files' ? '-F' : '-f';
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
