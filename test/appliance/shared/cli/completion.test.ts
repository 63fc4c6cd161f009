import { execFileSync } from 'node:child_process';
import { Argument, Command, Option } from 'commander';
import { describe, expect, it } from 'vitest';
import { completionScript } from '#cli/completion.ts';

const program = new Command('landfall').version('1').addHelpText('after', '');
program
  .command('build')
  .description("build a user's bundles")
  .addOption(new Option('--arch <name>', 'the architecture').choices(['amd64', 'arm64']))
  .option('--output <folder>', 'where to')
  .option('--without <name>', 'what not')
  .option('--full', 'everything');
program
  .command('schema')
  .description('print it')
  .addArgument(new Argument('[name]').choices(['appliance', 'site']));
program.command('verify').description('check it').argument('<bundle>');
program.command('send').description('send it').option('--release <bundle...>', 'what');
program.command('list').description('list all').option('--long', 'all columns');
const models = program.command('models').description('the models').option('--verbose', 'more');
models.command('list').description('list the models').option('--json', 'as JSON');
models
  .command('pull')
  .description('pull a model')
  .argument('<name>')
  .addOption(new Option('--mirror <name>', 'from').choices(['one', 'two']));

/** What bash offers after these words; the last one is being typed. */
function bashOffers(...words: string[]): string[] {
  const typed = words.map((word) => `'${word}'`).join(' ');
  const script = `${completionScript('bash', program)}
COMP_WORDS=(landfall ${typed}); COMP_CWORD=${words.length}
_landfall
printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split('\n');
}

describe('completion in bash', () => {
  it('offers the commands first', () => {
    const commands = ['build', 'schema', 'verify', 'send', 'list', 'models', 'help'];
    expect(bashOffers('')).toEqual(commands);
    expect(bashOffers('--')).toEqual(['--version', '--help']);
    expect(bashOffers('help', 'b')).toEqual(['build']);
    expect(bashOffers('sc')).toEqual(['schema']);
  });

  it('offers the options of the command', () => {
    const options = ['--arch', '--output', '--without', '--full', '--help'];
    expect(bashOffers('build', '--')).toEqual(options);
  });

  it('offers the values of an option', () => {
    expect(bashOffers('build', '--arch', '')).toEqual(['amd64', 'arm64']);
    expect(bashOffers('build', '--full', '--arch', 'ar')).toEqual(['arm64']);
    expect(bashOffers('build', '--arch', '=', 'ar')).toEqual(['arm64']);
    expect(bashOffers('build', '--arch', '=')).toEqual(['amd64', 'arm64']);
    expect(bashOffers('build', '--arch=ar')).toEqual(['--arch=arm64']);
  });

  it('offers the values of an argument', () => {
    expect(bashOffers('schema', 's')).toEqual(['site']);
  });

  it('offers subcommands after their command, with their own options', () => {
    expect(bashOffers('models', '')).toEqual(['list', 'pull', 'help']);
    expect(bashOffers('models', '-')).toEqual(['--verbose', '--help']);
    expect(bashOffers('models', 'list', '-')).toEqual(['--json', '--help']);
    expect(bashOffers('list', '-')).toEqual(['--long', '--help']);
    expect(bashOffers('models', 'pull', 'name', '--mirror', '')).toEqual(['one', 'two']);
    expect(bashOffers('models', 'pull', '--mirror=t')).toEqual(['--mirror=two']);
    expect(bashOffers('list', 'pull', '--mirror', '')).toEqual(['']);
  });

  it('leaves files to bash after a command or an option that takes a file', () => {
    expect(bashOffers('build', '')).toEqual(['']);
    expect(bashOffers('build', '--output', 'pack')).toEqual(['']);
    const registered = `${completionScript('bash', program)}complete -p landfall`;
    expect(execFileSync('bash', ['-c', registered], { encoding: 'utf8' })).toContain('-o default');
  });

  it('accepts arbitrary user input', () => {
    for (const word of ['$(exit 9)', '`x`', '*', "'", '\\', '-*', '~']) {
      expect(() => bashOffers('build', word.replaceAll("'", "'\\''"))).not.toThrow();
    }
  });
});

describe.each(['zsh', 'fish'] as const)('the script for %s', (shell) => {
  const script = completionScript(shell, program);

  it('lists every command and option with its description', () => {
    for (const word of ['build', 'schema', 'arch', 'where to', 'full', 'amd64', 'appliance']) {
      expect(script).toContain(word);
    }
  });

  it('escapes apostrophes', () => {
    expect(script).toContain("user'\\''s bundles");
  });
});

describe('file names', () => {
  it('offers file names in zsh and fish only for file arguments', () => {
    const zsh = completionScript('zsh', program);
    expect(zsh).toContain(`' build --output') offers=() files="yes"`);
    expect(zsh).toContain(`' build --without') offers=() files=""`);
    expect(zsh).toMatch(/' build'\) .* files=""/);
    expect(zsh).toMatch(/' verify'\) .* files="yes"/);
    expect(zsh).toMatch(/' send'\) .* files="yes"/);
    const fish = completionScript('fish', program);
    expect(fish).toContain("-l output -d 'where to' -r -F\n");
    expect(fish).toContain("-l without -d 'what not' -r -f -a ''\n");
    expect(fish).toContain(`"__landfall_called ' build'" -f\n`);
    expect(fish).toContain(`"__landfall_called ' verify'" -F\n`);
  });
});

describe('subcommands', () => {
  it('distinguishes subcommands in zsh and fish from a command of the same name', () => {
    const fish = completionScript('fish', program);
    expect(fish).toContain(`"__landfall_called ' list'" -l long`);
    expect(fish).toContain(`"__landfall_called ' models'" -f -a pull`);
    expect(fish).toContain(`"__landfall_called ' models list'" -l json`);
    const zsh = completionScript('zsh', program);
    expect(zsh).toMatch(/' models'\) .*'pull:pull a model'/);
    expect(zsh).toMatch(/' models list'\) options=\('--json:as JSON'/);
  });
});
