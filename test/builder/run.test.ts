import { describe, expect, it } from 'vitest';
import { run } from '../../builder/run.ts';
import { terminalIn } from './commands/terminal.ts';

async function landfall(...args: string[]) {
  const terminal = terminalIn('.');
  const status = await run(args, terminal.context);
  return { status, out: terminal.out(), err: terminal.err() };
}

/** Command lines that make no sense, with the part of the message that names the reason. */
const senseless: ReadonlyArray<readonly [args: string[], reason: string]> = [
  [['build', '--key', '-', '--ful'], "unknown option '--ful'"],
  [['user-data'], "required option '--release <file...>' not specified"],
  [['verify'], "missing required argument 'bundle'"],
  [['init', '--tls', 'none'], "option '--tls <mode>' argument 'none' is invalid"],
  [['keygen', '--output'], "option '--output <path>' argument missing"],
  [['inspect', 'one', 'two'], 'too many arguments'],
  [['bild'], "unknown command 'bild'"],
];

describe('a command line that makes no sense', () => {
  it.each(senseless)('%j is refused in one form', async (args, reason) => {
    const { status, out, err } = await landfall(...args);
    expect(status).toBe(2);
    expect(err).toContain(`error USAGE: ${reason}`);
    expect(err).toMatch(/\nhint: .+\n$/);
    expect(out).toBe('');
  });

  it.each(senseless)(
    '%j is refused as JSON for programs',
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

  it('names what may have been meant, or where to read', async () => {
    expect((await landfall('build', '--key', '-', '--ful')).err).toContain(
      'hint: Did you mean --full?',
    );
    expect((await landfall('inspect', 'a', 'b')).err).toContain(
      'hint: Run `landfall help inspect`',
    );
  });
});

describe('a command line that asks for help', () => {
  it('gets it on standard output', async () => {
    expect(await landfall('--help')).toMatchObject({ status: 0, err: '' });
    expect((await landfall('help', 'build')).out).toContain('--full');
    expect((await landfall('--version')).status).toBe(0);
  });

  it('gets it on standard error where it has no command', async () => {
    expect(await landfall()).toMatchObject({ status: 2, err: expect.stringContaining('Usage:') });
  });
});
