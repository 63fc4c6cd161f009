import type { Command } from './command.ts';

/** Every command in one line, without those that people have no use for. */
export function describeCommands(commands: Readonly<Record<string, Command>>): string {
  const calls = namesForPeople(commands).map((name): [string, string] => {
    const { usage, summary } = commands[name] ?? {};
    return [[name, usage].filter(Boolean).join(' '), summary ?? ''];
  });
  const width = Math.max(...calls.map(([call]) => call.length));
  return calls.map(([call, summary]) => `landfall ${call.padEnd(width)}  ${summary}`).join('\n');
}

/** The commands that people use. */
export function namesForPeople(commands: Readonly<Record<string, Command>>): string[] {
  return Object.keys(commands).filter((name) => !commands[name]?.internal);
}

/** What one command does, each way to call it, and an example. */
export function describeCommand(
  name: string,
  { summary, usage = '', example }: Pick<Command, 'summary' | 'usage' | 'example'>,
): string {
  const calls = usage.split(' | ').map((way) => `  landfall ${name} ${way}`.trimEnd());
  return [`landfall ${name}: ${summary}`, '', ...calls, '', `For example: ${example}`].join('\n');
}
