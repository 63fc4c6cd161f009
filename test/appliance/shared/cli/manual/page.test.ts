import { PassThrough } from 'node:stream';
import { Command, type CommandUnknownOpts } from 'commander';
import { afterEach, describe, expect, it } from 'vitest';
import { manualPage } from '#cli/manual/page.ts';
import { createProgram } from '#cli/program.ts';
import { setLanguage } from '#contract/text/language.ts';
import { setChineseRows } from '#contract/text/translated.ts';
import { serverRows } from '../../../../../appliance/commands/chinese/rows.ts';
import { serverProgram } from '../../../../../appliance/commands/program.ts';
import { landfallProgram } from '../../../../../builder/bin/program.ts';
import { terminalIn } from '../../../../builder/commands/terminal.ts';

const output = { stdout: new PassThrough(), stderr: new PassThrough() };

function programWith(...commands: readonly CommandUnknownOpts[]): Command {
  const help =
    '\nStart here:\n  landfall door open   open it\n\nExit codes: 0 success,\n2 usage.\n';
  return createProgram(output, {
    ...{ description: 'Opens doors.', version: '1.2.0', help, groups: { Doors: commands } },
    hiddenCommands: [new Command('cellar').description('internal')],
  });
}

describe('a manual page', () => {
  const open = new Command('open')
    .description('open a door')
    .argument('<name>')
    .option('--wide <cm>', "how far; it isn't checked", '90')
    .addHelpText('after', "\nExample:\n  landfall door open 'front'\n  .hidden \\ ~ …\n");
  const page = manualPage(
    programWith(new Command('door').description('all doors').addCommand(open)),
    8,
  );

  it('prints name, synopsis, help, options and commands of a manual page in this order', () => {
    expect(page).toBe(String.raw`.TH LANDFALL 8 "" "Landfall 1.2.0" "Landfall"
.SH NAME
landfall \- Opens doors
.SH SYNOPSIS
.B landfall
.I command
[options]
.SH DESCRIPTION
Opens doors.
.PP
Start here:
.RS 4
.nf
landfall door open   open it
.fi
.RE
.PP
Exit codes: 0 success,
2 usage.
.SH OPTIONS
.TP
\fB\-V, \-\-version\fR
Output the version number.
.SH DOORS
.SS landfall door [options] [command]
All doors.
.SS landfall door open [options] <name>
Open a door.
.TP
\fB\-\-wide <cm>\fR
How far; it isn\(aqt checked (default: "90")
.PP
Example:
.RS 4
.nf
landfall door open \(aqfront\(aq
\&.hidden \e \(ti \[u2026]
.fi
.RE
.SH SEE ALSO
The help of each command: \fBlandfall help\fR \fIcommand\fR.
`);
  });

  it('prints quoted words of a manual page in bold', () => {
    const command = new Command('x').description('see `landfall door`');
    expect(manualPage(programWith(command), 1)).toContain('\nSee \\fBlandfall door\\fR.\n');
  });

  it('omits hidden commands', () => {
    expect(page).not.toContain('cellar');
  });
});

describe.each([
  ['the builder', landfallProgram(terminalIn('.').context), 1],
  ['the server', serverProgram(output), 8],
] as const)('the manual page of %s', (_what, program, section) => {
  const page = manualPage(program, section);

  it('contains every command and option', () => {
    const visible = program.createHelp().visibleCommands(program);
    for (const command of visible.filter((each) => each.name() !== 'help')) {
      expect(page).toContain(`.SS landfall ${command.name().replaceAll('-', '\\-')} `);
      for (const { long = '' } of command.options) {
        expect(page).toContain(long?.replaceAll('-', '\\-'));
      }
    }
  });

  it('contains only ASCII, and no line that troff would mistake for a request', () => {
    expect(page).toMatch(/^[\n\x20-\x7e]+$/);
    const requests = page.split('\n').filter((line) => /^[.']/.test(line));
    expect(
      requests.filter((line) => !/^\.(?:TH|SH|SS|TP|PP|RS|RE|nf|fi|B|I)\b/.test(line)),
    ).toEqual([]);
  });
});

describe('a manual page of a Chinese site', () => {
  afterEach(() => {
    setLanguage('en');
    setChineseRows({});
  });

  it('describes the commands in Chinese', () => {
    setChineseRows(serverRows);
    setLanguage('zh');
    const restart = new Command('restart')
      .description('such as chat')
      .option('--yes', 'do not ask');
    const codes = [...'例如'].map(
      (each) => `\\[u${each.codePointAt(0)?.toString(16).toUpperCase()}]`,
    );
    expect(manualPage(programWith(restart), 8)).toContain(`\n${codes.join('')} chat`);
  });
});
