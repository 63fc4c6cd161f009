import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { serverProgram } from '../../appliance/commands/program.ts';
import { landfallProgram } from '../../builder/program.ts';
import { terminalIn } from '../builder/commands/terminal.ts';
import { sourcesBelow, textOf } from './sources.ts';

/** Returns whether a test contains a command line that begins with the command, as `'verify …'`. */
function isCalled(command: string, tests: readonly string[]): boolean {
  return tests.some((path) => new RegExp(`'${command}[ ']`).test(textOf(path)));
}

describe('every command of the builder', () => {
  const { commands } = landfallProgram(terminalIn('.').context);
  const tests = sourcesBelow('test/builder/pty').filter((path) => path.endsWith('.test.ts'));

  it.each(commands.map((command) => command.name()))('is run on a terminal: %s', (name) => {
    const advice = `add calls of "${name}" to a test in test/builder/pty, such as bundles.test.ts`;
    expect(isCalled(name, tests), advice).toBe(true);
  });
});

describe('every command of the server', () => {
  const server = serverProgram({ stdout: new PassThrough(), stderr: new PassThrough() });
  const visible = server.createHelp().visibleCommands(server);
  const table = 'test/host/commands/terminal.test.ts';

  it.each(visible.map((command) => command.name()))('is run on a whole server: %s', (name) => {
    const advice = `add a call of "${name}" with its exit code to the table in ${table}`;
    expect(isCalled(name, [table]), advice).toBe(true);
  });
});
