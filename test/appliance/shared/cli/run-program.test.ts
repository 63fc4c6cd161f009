import { PassThrough } from 'node:stream';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '#cli/program.ts';
import { runProgram } from '#cli/run-program.ts';
import { LandfallError } from '#contract/errors.ts';

/** Runs a program with the commands `door open <name>`, `door close` and the hidden `cellar`. */
async function run(...args: string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const ran: string[] = [];
  const open = new Command('open')
    .argument('<name>')
    .option('--wide')
    .option('--json')
    .action((name: string) => void ran.push(`open ${name}`));
  const close = new Command('close').action(() => {
    throw new LandfallError('STATE_INVALID', 'the door is stuck');
  });
  const program = createProgram(
    { stdout, stderr },
    {
      description: 'Opens and closes doors.',
      version: '1.2.0',
      help: '\nStart here: landfall door\n',
      groups: { Doors: [new Command('door').addCommand(open).addCommand(close)] },
      hiddenCommands: [new Command('cellar').action(() => void ran.push('cellar'))],
    },
  );
  const code = await runProgram(program, args, { stdout, stderr }, String);
  return { code, ran, out: String(stdout.read() ?? ''), err: String(stderr.read() ?? '') };
}

describe('a command line', () => {
  it('runs the command that it names', async () => {
    expect(await run('door', 'open', 'front', '--wide')).toEqual({
      ...{ code: 0, ran: ['open front'], out: '', err: '' },
    });
  });

  it('exits with the exit code of the error', async () => {
    expect(await run('door', 'close')).toMatchObject({
      ...{ code: 11, out: '', err: 'LandfallError: the door is stuck\n' },
    });
  });

  it.each([
    [['dor'], "unknown command 'dor'"],
    [['door', 'opn'], "unknown command 'opn'"],
    [['door', 'open'], "missing required argument 'name'"],
    [['door', 'open', 'front', '--wid'], "unknown option '--wid'"],
    [['door', 'open', 'front', 'back'], 'too many arguments'],
    // `constructor` is a property of every object.
    [['constructor'], "unknown command 'constructor'"],
    [[''], "unknown command ''"],
  ])('%j is refused and runs nothing', async (args, reason) => {
    const { code, ran, out, err } = await run(...args);
    expect({ code, ran, out }).toEqual({ code: 2, ran: [], out: '' });
    expect(err).toContain(reason);
  });

  it('fails with one JSON object with --json', async () => {
    const { code, out, err } = await run('door', 'open', '--json', '--wid');
    expect({ code, err }).toEqual({ code: 2, err: '' });
    expect(JSON.parse(out)).toMatchObject({
      error: { code: 'USAGE', message: "unknown option '--wid'", hint: 'Did you mean --wide?' },
    });
  });

  it('shows the help of the subcommand without a similar name', async () => {
    const { out } = await run('door', 'open', '--json');
    expect(JSON.parse(out)).toMatchObject({ error: { hint: 'Run `landfall help door open`.' } });
  });
});

describe('help', () => {
  it.each([
    [['help', 'door', 'open']],
    [['door', 'open', '--help']],
    [['door', 'open', '-h']],
    [['door', 'open', 'front', '--help']],
    [['help', 'door', 'open', '--json']],
  ])('prints the help of a subcommand with %j, and runs nothing', async (args) => {
    const { code, ran, out, err } = await run(...args);
    expect({ code, ran, err }).toEqual({ code: 0, ran: [], err: '' });
    expect(out).toContain('Usage: landfall door open [options] <name>');
  });

  it('omits hidden commands, which still run', async () => {
    const { out } = await run('help');
    expect(out).toContain('door');
    expect(out).toContain('Start here: landfall door');
    expect(out).not.toContain('cellar');
    expect((await run('cellar')).ran).toEqual(['cellar']);
  });

  // commander showed the whole help and no error.
  it.each([[['help', 'window']], [['help', 'door', 'window']]])(
    'rejects the help of an unknown command as a usage error: %j',
    async (args) => {
      expect(await run(...args)).toMatchObject({
        code: 2,
        err: expect.stringContaining("unknown command 'window'"),
      });
    },
  );

  it('prints the help on stderr without a command', async () => {
    expect(await run()).toMatchObject({ code: 2, err: expect.stringContaining('Usage:') });
  });

  it('names the version', async () => {
    expect(await run('--version')).toMatchObject({ code: 0, out: '1.2.0\n' });
  });
});
