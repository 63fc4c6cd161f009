import { PassThrough } from 'node:stream';
import type { CommandUnknownOpts as Command } from 'commander';
import { completionScript } from '#cli/completion.ts';
import { manualPage } from '#cli/manual/page.ts';
import { type Language, setLanguage } from '#contract/text/language.ts';
import { setChineseRows } from '#contract/text/translated.ts';
import { serverRows } from '../../../appliance/commands/chinese/rows.ts';
import { serverProgram } from '../../../appliance/commands/program.ts';
import { speak } from '../../../builder/base/language.ts';
import { builderVersion } from '../../../builder/base/version.ts';
import { landfallProgram } from '../../../builder/bin/program.ts';
import { terminalIn } from '../../builder/commands/terminal.ts';
import { forEachLanguage, type Section, sections, type Topic } from '../golden.ts';

/** The two programs, by the name of their golden files. */
export const programs: Readonly<Record<'builder' | 'server', () => Command>> = {
  builder: () => landfallProgram(terminalIn('.').context),
  server: () => serverProgram({ stdout: new PassThrough(), stderr: new PassThrough() }),
};

/** Returns every command of a program with its command line, also those that the help does not list. */
export function allCommands(command: Command, above = ''): [call: string, command: Command][] {
  const call = `${above} ${command.name()}`.trim();
  return [[call, command], ...command.commands.flatMap((each) => allCommands(each, call))];
}

function speakOnServer(language: Language): void {
  setChineseRows(serverRows);
  setLanguage(language);
}

/** The help of every command. */
export const help: Topic = async () => {
  const helpOfAll = (program: () => Command) => sections(allCommands(program()).map(helpOf));
  return new Map([
    ...(await forEachLanguage('builder', () => helpOfAll(programs.builder), speak)),
    ...(await forEachLanguage('server', () => helpOfAll(programs.server), speakOnServer)),
  ]);
};

/** The manual page of each program. */
export const manual: Topic = () =>
  new Map([
    // Each release has another version in the first line.
    ['landfall.1', manualPage(programs.builder(), 1).replace(builderVersion, 'VERSION')],
    ['landfall.8', manualPage(programs.server(), 8)],
  ]);

/** The completion of each shell. */
export const completion: Topic = () =>
  new Map(
    Object.entries(programs).flatMap(([name, program]) =>
      (['bash', 'zsh', 'fish'] as const).map((shell): [string, string] => [
        `${name}.${shell}`,
        completionScript(shell, program()),
      ]),
    ),
  );

function helpOf([call, command]: [string, Command]): Section {
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
    // That of a pipe, whatever the terminal of the tests is.
    getOutHelpWidth: () => 80,
    getOutHasColors: () => false,
  });
  command.outputHelp();
  return [`${call} --help`, text];
}
