import { EventEmitter } from 'node:events';
import type { CommandUnknownOpts as Command, Help } from 'commander';
import { say } from '#contract/text/language.ts';
import { translated } from '#contract/text/translated.ts';

/** 1 is for commands of users, 8 for the administration of a system (man(1)). */
type Section = 1 | 8;

/**
 * Renders the manual page of a program in man(7), from the definitions of its commands. It has no
 * date, so the same version has the same bytes.
 */
export function manualPage(program: Command, section: Section): string {
  const help = program.createHelp();
  const name = program.name();
  const lines = [
    `.TH ${name.toUpperCase()} ${section} "" "Landfall ${escaped(program.version() ?? '')}" "Landfall"`,
    '.SH NAME',
    `${name} \\- ${prose(translated(program.description()).replace(/[.\u3002]$/, ''))}`,
    '.SH SYNOPSIS',
    `.B ${name}`,
    '.I command',
    '[options]',
    '.SH DESCRIPTION',
    `${prose(translated(program.description()))}`,
    ...helpText(textAfterHelp(program)),
    '.SH OPTIONS',
    ...optionsOf(program, help),
    ...groupsOf(program, help).flatMap(([heading, commands]) => [
      `.SH ${escaped(translated(heading.replace(/:$/, '')).toUpperCase())}`,
      ...commandsOf(commands, name, help),
    ]),
    '.SH SEE ALSO',
    `The help of each command: \\fB${name} help\\fR \\fIcommand\\fR.`,
  ];
  return `${lines.join('\n')}\n`;
}

function groupsOf(program: Command, help: Help): Array<[heading: string, commands: Command[]]> {
  return [...Map.groupBy(help.visibleCommands(program), (command) => command.helpGroup())];
}

/** Returns the entries of commands, and of those below them. */
function commandsOf(commands: readonly Command[], path: string, help: Help): string[] {
  return commands.flatMap((command) => {
    // Commander adds `help` to programs and groups; SEE ALSO names it.
    if (command.name() === 'help') return [];
    const own = `${path} ${command.name()}`;
    return [
      `.SS ${escaped(`${own} ${command.usage()}`)}`,
      prose(sentence(translated(command.description()))),
      ...optionsOf(command, help),
      ...helpText(textAfterHelp(command)),
      ...commandsOf(help.visibleCommands(command), own, help),
    ];
  });
}

function optionsOf(command: Command, help: Help): string[] {
  return help
    .visibleOptions(command)
    .filter(({ long }) => long !== '--help')
    .flatMap((option) => [
      '.TP',
      `\\fB${escaped(help.optionTerm(option))}\\fR`,
      prose(sentence(help.styleDescriptionText(help.optionDescription(option)))),
    ]);
}

/** Returns what `addHelpText('after', …)` adds; commander keeps it as a listener. */
function textAfterHelp(command: Command): string {
  let text = '';
  const write = (part: string) => {
    text += part;
  };
  if (command instanceof EventEmitter) {
    command.emit('afterHelp', { error: false, command, write });
  }
  return text;
}

function sentence(text: string): string {
  const [first = '', ...rest] = text;
  const whole = first.toUpperCase() + rest.join('');
  return /[.)\u3002\uff09]$/.test(whole) ? whole : `${whole}${say('.', '。')}`;
}

/** Characters that troff interprets or replaces, with their escapes (groff_char(7)). */
const escapes: Readonly<Record<string, string>> = {
  '\\': '\\e',
  '-': '\\-',
  "'": '\\(aq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
};

/** Escapes a line of text for troff, including a dot at its beginning, which would start a request. */
function escaped(line: string): string {
  return protectedLine(withEscapes(line));
}

/** Returns a line of prose with its `quoted` words in bold. */
function prose(line: string): string {
  const marked = line
    .split(/`([^`]+)`/)
    .map(withEscapes)
    .map((part, index) => (index % 2 === 0 ? part : `\\fB${part}\\fR`));
  return protectedLine(marked.join(''));
}

function withEscapes(text: string): string {
  return text
    .replace(/[\\\-'`^~]/g, (character) => escapes[character] ?? character)
    .replace(/[^\x20-\x7e]/gu, (character) => {
      const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
      return `\\[u${code}]`;
    });
}

function protectedLine(line: string): string {
  return line.startsWith('.') ? `\\&${line}` : line;
}

/** Returns the lines of a help text: prose is filled, lines that start with two spaces are kept. */
function helpText(text: string): string[] {
  if (text.trim() === '') return [];
  const blocks = text.trim().split(/\n{2,}/);
  return blocks.flatMap((block) => ['.PP', ...linesOf(block)]);
}

function linesOf(block: string): string[] {
  const result: string[] = [];
  let literal = false;
  for (const line of block.split('\n')) {
    const indented = line.startsWith('  ');
    if (indented !== literal) result.push(...(indented ? ['.RS 4', '.nf'] : ['.fi', '.RE']));
    literal = indented;
    result.push(indented ? escaped(line.slice(2)) : prose(line));
  }
  if (literal) result.push('.fi', '.RE');
  return result;
}
