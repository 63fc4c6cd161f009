import { PassThrough } from 'node:stream';
import type { CommandUnknownOpts as Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { allErrorCodes } from '#contract/error-codes.ts';
import { serverProgram } from '../../appliance/commands/program.ts';
import { landfallProgram } from '../../builder/bin/program.ts';
import { terminalIn } from '../builder/commands/terminal.ts';
import { sourcesBelow, textOf } from './sources.ts';

/** Returns whether a test contains a command line that begins with the command, as `'verify …'`. */
function isCalled(command: string, tests: readonly string[]): boolean {
  return tests.some((path) => new RegExp(`'${command}[ ']`).test(textOf(path)));
}

describe('every command of the builder', () => {
  const { commands } = landfallProgram(terminalIn('.').context);
  const tests = sourcesBelow('test/builder/pty').filter((path) => path.endsWith('.test.ts'));

  it.each(commands.map((command) => command.name()))(
    'calls every command of the builder on a terminal: %s',
    (name) => {
      const advice = `add calls of "${name}" to a test in test/builder/pty, such as bundles.test.ts`;
      expect(isCalled(name, tests), advice).toBe(true);
    },
  );
});

describe('the help of the builder', () => {
  const program = landfallProgram(terminalIn('.').context);
  const leaves = leavesOf(program, '').filter(({ path }) => !/ssh-through-proxy/.test(path));
  /** They print a document, or nothing besides errors. */
  const printing = /^(?:completion|manual|page|schema|route (?:pac|proxychains|export))$/;

  it.each(leaves)('prints an example in the help of $path', ({ command }) => {
    let help = '';
    command.configureOutput({
      writeOut: (text) => {
        help += text;
      },
    });
    command.outputHelp();
    expect(help).toContain('Example:');
  });

  it.each(leaves.filter(({ path }) => !printing.test(path)))('offers --json for $path', (leaf) => {
    expect(leaf.command.options.map(({ long }) => long)).toContain('--json');
  });

  it('names every exit code of errors and findings', () => {
    let help = '';
    program.configureOutput({
      writeOut: (text) => {
        help += text;
      },
    });
    program.outputHelp();
    const codes = [...allErrorCodes().map(({ exit }) => exit), 12];
    for (const code of codes) expect(help).toMatch(new RegExp(`[ ,\\n]${code} [a-z A-Z]`));
  });
});

/** Returns the commands that run something, with their names below the program. */
function leavesOf(parent: Command, above: string): Array<{ path: string; command: Command }> {
  return parent.commands.flatMap((command) => {
    const path = `${above} ${command.name()}`.trim();
    const inner = leavesOf(command, path);
    return inner.length === 0 ? [{ path, command }] : inner;
  });
}

describe('every command of the server', () => {
  const server = serverProgram({ stdout: new PassThrough(), stderr: new PassThrough() });
  const visible = server.createHelp().visibleCommands(server);
  const table = 'test/host/commands/terminal.test.ts';

  it.each(visible.map((command) => command.name()))(
    'calls every command of the server on a whole server: %s',
    (name) => {
      const advice = `add a call of "${name}" with its exit code to the table in ${table}`;
      expect(isCalled(name, [table]), advice).toBe(true);
    },
  );
});
