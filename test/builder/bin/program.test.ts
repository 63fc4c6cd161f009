import { describe, expect, it } from 'vitest';
import { run } from '../../../builder/bin/program.ts';
import { terminalIn } from '../commands/terminal.ts';

async function landfall(...args: string[]) {
  const terminal = terminalIn('.');
  const status = await run(args, terminal.context);
  return { status, out: terminal.out(), err: terminal.err() };
}

/** Invalid command lines with a part of the message. */
const invalid: ReadonlyArray<readonly [args: string[], reason: string]> = [
  [['build', '--key', '-', '--ful'], "unknown option '--ful'"],
  [['user-data'], 'no release is given'],
  [['verify'], "missing required argument 'bundle'"],
  [['init', '--tls', 'none'], "option '--tls <mode>' argument 'none' is invalid"],
  [['keygen', '--output'], "option '--output <path>' argument missing"],
  [['inspect', 'one', 'two'], 'too many arguments'],
  [['bild'], "unknown command 'bild'"],
];

describe('an invalid command line', () => {
  it.each(invalid)('%j is rejected', async (args, reason) => {
    const { status, out, err } = await landfall(...args);
    expect(status).toBe(2);
    expect(err).toContain(`error USAGE: ${reason}`);
    expect(err).toMatch(/\nhint: .+\n$/);
    expect(out).toBe('');
  });

  it.each(invalid)(
    '%j is rejected as JSON with --json',
    async ([command = '', ...args], reason) => {
      const { status, out, err } = await landfall(command, '--json', ...args);
      expect(status).toBe(2);
      expect(JSON.parse(out)).toMatchObject({
        error: {
          code: 'USAGE',
          message: expect.stringContaining(reason),
          hint: expect.any(String),
        },
      });
      expect(err).toBe('');
    },
  );

  it('hints at a similar word or at the help for an invalid command line', async () => {
    expect((await landfall('build', '--key', '-', '--ful')).err).toContain(
      'hint: Did you mean --full?',
    );
    expect((await landfall('inspect', 'a', 'b')).err).toContain(
      'hint: Run `landfall help inspect`',
    );
  });
});

describe('help', () => {
  it('prints the help on standard output on request', async () => {
    expect(await landfall('--help')).toMatchObject({ status: 0, err: '' });
    expect((await landfall('help', 'build')).out).toContain('--full');
    const { status, out } = await landfall('--version');
    expect(status).toBe(0);
    for (const word of ['version', '-v', '-V']) expect((await landfall(word)).out).toBe(out);
  });

  it('prints the help on standard error without a command', async () => {
    expect(await landfall()).toMatchObject({ status: 2, err: expect.stringContaining('Usage:') });
  });
});
