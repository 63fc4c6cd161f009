import { EventEmitter } from 'node:events';
import type { Command, Help } from 'commander';
import { escaped, helpText, prose } from './roff.ts';

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
    `${name} \\- ${prose(program.description().replace(/\.$/, ''))}`,
    '.SH SYNOPSIS',
    `.B ${name}`,
    '.I command',
    '[options]',
    '.SH DESCRIPTION',
    `${prose(program.description())}`,
    ...helpText(textAfterHelp(program)),
    '.SH OPTIONS',
    ...optionsOf(program, help),
    '.SH COMMANDS',
    ...commandsOf(program, name, help),
    '.SH SEE ALSO',
    `The help of each command: \\fB${name} help\\fR \\fIcommand\\fR.`,
  ];
  return `${lines.join('\n')}\n`;
}

/** Returns the visible commands below a command, with groups expanded. */
function commandsOf(parent: Command, path: string, help: Help): string[] {
  return help.visibleCommands(parent).flatMap((command) => {
    // Commander adds `help` to programs and groups; SEE ALSO names it.
    if (command.name() === 'help') return [];
    const own = `${path} ${command.name()}`;
    return [
      `.SS ${escaped(`${own} ${command.usage()}`)}`,
      prose(sentence(command.description())),
      ...optionsOf(command, help),
      ...helpText(textAfterHelp(command)),
      ...commandsOf(command, own, help),
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
      prose(sentence(help.optionDescription(option))),
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
  return /[.)]$/.test(whole) ? whole : `${whole}.`;
}
