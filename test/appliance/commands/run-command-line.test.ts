import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Command } from '../../../appliance/commands/command.ts';
import { commands } from '../../../appliance/commands/commands.ts';
import { firewallActions } from '../../../appliance/commands/firewall.ts';
import { firstBootCommand } from '../../../appliance/commands/first-boot.ts';
import { runCommandLine } from '../../../appliance/commands/run-command-line.ts';
import type { Facts } from '../../../appliance/load-facts.ts';

let printed: string[];
beforeEach(() => {
  printed = [];
  vi.spyOn(console, 'log').mockImplementation((text) => void printed.push(String(text)));
});
afterEach(() => vi.restoreAllMocks());

/** Commands of which each writes down that it ran. */
function written(): { ran: string[][]; commands: Record<string, Command> } {
  const ran: string[][] = [];
  const door: Command = {
    summary: 'open and close the door',
    usage: 'open [--wide] | close',
    example: 'landfall door open',
    root: false,
    run: async (args) => void ran.push([...args]),
  };
  return { ran, commands: { door, cellar: { ...door, internal: true } } };
}

describe('a command line', () => {
  it('runs the command that it names, with what follows', async () => {
    const { ran, commands } = written();
    await runCommandLine(commands, ['door', 'open', '--wide']);
    expect(ran).toEqual([['open', '--wide']]);
  });

  it('shows every command that people use when it says nothing', async () => {
    await runCommandLine(written().commands, []);
    expect(printed).toEqual(['landfall door open [--wide] | close  open and close the door']);
  });

  // `constructor` is a property of every object.
  it.each(['window', 'constructor', ''])('does not guess what %j means', async (name) => {
    await expect(runCommandLine(written().commands, [name])).rejects.toMatchObject({
      code: 'USAGE',
      hint: 'Commands: door.',
    });
  });
});

describe('help', () => {
  it.each([
    [['help', 'door']],
    [['door', '--help']],
    [['door', '-h']],
    [['door', 'open', '--help']],
    [['door', '--wide', '-h', 'close']],
    [['--help', 'door']],
  ])('is shown with %j, and nothing is done', async (args) => {
    const { ran, commands } = written();
    await runCommandLine(commands, args);
    expect(ran).toEqual([]);
    expect(printed).toEqual([
      'landfall door: open and close the door\n\n  landfall door open [--wide]\n  landfall door close\n\nFor example: landfall door open',
    ]);
  });

  it('is about one command that there is', async () => {
    const { commands } = written();
    await expect(runCommandLine(commands, ['help', 'door', 'open'])).rejects.toMatchObject({
      code: 'USAGE',
      message: 'landfall help takes one command, not also open',
    });
    await expect(runCommandLine(commands, ['help', 'window'])).rejects.toMatchObject({
      code: 'USAGE',
    });
  });

  it.each(Object.keys(commands))('has an example of %s, with sudo where it takes root', (name) => {
    const { example = '', root } = commands[name] ?? {};
    expect(example).toMatch(new RegExp(`^${root ? 'sudo ' : ''}landfall ${name}( |$)`));
  });
});

describe('words that a command has no use for', () => {
  const facts = {} as Facts;

  // Only the first port was opened, and nobody heard of the second.
  it('are refused where a port is opened or closed', async () => {
    const two = ['80/tcp', '8443/tcp'];
    const message = (name: string) => `landfall firewall ${name} takes one port, not also 8443/tcp`;
    await expect(firewallActions.allow(facts, two)).rejects.toMatchObject({
      code: 'USAGE',
      message: message('allow'),
    });
    await expect(firewallActions.deny(facts, two)).rejects.toMatchObject({
      code: 'USAGE',
      message: message('deny'),
    });
  });

  it('are refused where the firewall is applied, and where a first boot begins', async () => {
    await expect(firewallActions.apply(facts, ['now'])).rejects.toMatchObject({
      code: 'USAGE',
      message: 'landfall firewall apply does not take now',
    });
    await expect(firstBootCommand.run(['now'])).rejects.toMatchObject({
      code: 'USAGE',
      message: 'landfall first-boot does not take now',
    });
  });
});
