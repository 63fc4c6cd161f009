import { execFileSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { landfallProgram } from '../../../builder/bin/program.ts';
import { terminalIn } from './terminal.ts';

async function scriptFor(shell: string): Promise<string> {
  const { context, out } = terminalIn('.');
  await landfallProgram(context).parseAsync(['completion', shell], { from: 'user' });
  return out();
}

/** Returns the commands that users run: ssh runs the hidden one. */
function visibleCommands() {
  const program = landfallProgram(terminalIn('.').context);
  return program
    .createHelp()
    .visibleCommands(program)
    .filter((each) => each.name() !== 'help');
}

let bash: string;
beforeAll(async () => {
  bash = await scriptFor('bash');
});

/** Returns the completions of bash for the last word of a line. */
function offers(...words: string[]): string[] {
  const typed = words.map((word) => `'${word}'`).join(' ');
  const script = `${bash}
COMP_WORDS=(landfall ${typed}); COMP_CWORD=${words.length}
_landfall
printf '%s\\n' "\${COMPREPLY[@]}"`;
  // Not a socket, with which bash would read the startup files of this machine.
  const ran = execFileSync('bash', ['-u', '-c', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  return ran.toString().trim().split('\n');
}

describe('landfall completion bash', () => {
  it('prints a valid bash script', () => {
    expect(execFileSync('bash', ['-n'], { input: bash, encoding: 'utf8' })).toBe('');
  });

  it('contains every command', () => {
    const names = visibleCommands().map((each) => each.name());
    expect(names).toContain('build');
    expect(offers('')).toEqual([...names, 'help']);
  });

  it('contains every option of every command', () => {
    for (const command of visibleCommands()) {
      const options = command.options.map(({ long }) => long);
      expect(offers(command.name(), '--')).toEqual([...options, '--help']);
    }
  });

  it('contains the options of a command that has both arguments and a subcommand', () => {
    expect(offers('probe', 'h')).toEqual(['hub']);
    expect(offers('probe', 'https://a.test', '--e')).toEqual(['--echo']);
    expect(offers('probe', 'hub', '--i')).toEqual(['--inputs']);
  });

  it('contains the values of options and arguments', () => {
    expect(offers('init', '--tls', 'acme-')).toEqual(['acme-staging', 'acme-ip']);
    expect(offers('schema', '')).toEqual(['appliance', 'site']);
    expect(offers('completion', 'f')).toEqual(['fish']);
    expect(offers('user-data', '--provider', 'het')).toEqual(['hetzner']);
  });
});

const placeholders =
  'shells complete files for the placeholders <file>, <folder>, <path>, <bundle>, <source> and <key>';
/** The kind of value of every option. */
const values = {
  files: [
    ...['init --ssh-key', 'keygen --output', 'lock --config', 'lock --store', 'lock --ca'],
    ...['mirrors --ca', 'mirrors --site'],
    ...['build --config', 'build --output', 'build --key', 'build --store', 'build --ca'],
    ...['build --reproduce', 'sign --key'],
    ...['verify --key', 'verify --recovery-key', 'smoke --site', 'smoke --junit'],
    ...['user-data --site', 'user-data --release', 'user-data --key', 'user-data --recovery-key'],
    ...['user-data --output', 'diff --key', 'diff --recovery-key'],
    ...['explain --release', 'explain --key', 'explain --recovery-key', 'page --output'],
    ...['install --site', 'install --release', 'install --key', 'install --recovery-key'],
    ...['install --identity', 'install --ssh-config', 'install --proxies'],
    ...['push --release', 'push --identity', 'push --site', 'push --ssh-config', 'push --proxies'],
    ...['preview --site', 'preview --key', 'preview --recovery-key'],
    'proxychains --output',
    'export --output',
    ...['configure --settings', 'check --settings', 'remove --settings'],
    ...['add --channel', 'add --notes', 'withdraw --channel', 'remove --channel'],
    ...['sign --channel', 'sign --key', 'show --channel', 'rotate --folder', 'show --folder'],
    ...['rotate --key', 'rotate --release-key', 'rotate --recovery-key', 'rotate --revoke'],
    ...['probe --site', 'probe --ca', 'hub --ca', 'upload --ssh-config', 'upload --ca'],
  ],
  unknown: [
    ...[
      'init --release-url',
      'init --user',
      'init --ui-host',
      'init --email',
      'init --dns-provider',
      'init --route',
    ],
    'keygen --name',
    ...['withdraw --reason', 'rotate --product', 'rotate --floor', 'show --product'],
    ...['lock --update', 'lock --mirror', 'mirrors --proxy', 'lock --proxy', 'lock --concurrency'],
    ...[
      'build --max-part-size',
      'user-data --part-size',
      'build --without',
      'build --mirror',
      'build --proxy',
      'build --concurrency',
    ],
    'init --timezone',
    ...['verify --pinned', 'smoke --address', 'user-data --proxy'],
    ...['install --jump', 'install --ssh-proxy', 'push --jump', 'push --ssh-proxy'],
    ...['preview --name', 'preview --port'],
    'on --exempt',
    ...['configure --proxy', 'check --host'],
    ...['probe --proxy', 'probe --resolver', 'probe --echo'],
    ...['hub --url', 'hub --inputs', 'hub --proxy', 'import --user-agent', 'serve --listen'],
    ...[
      'upload --to',
      'upload --endpoint',
      'upload --region',
      'upload --public-url',
      'upload --proxy',
    ],
  ],
  known: [
    'init --arch',
    'add --security',
    'init --component',
    'init --mirrors',
    'init --provider',
    'init --tls',
    'init --language',
    'build --arch',
    'verify --arch',
    'user-data --provider',
    'user-data --format',
    'export --format',
    'mirrors --preset',
    ...['configure --editor', 'check --editor', 'remove --editor'],
  ],
};

describe('file names', () => {
  it('offers file names for options whose values are files', async () => {
    const fish = await scriptFor('fish');
    const found = { files: [] as string[], unknown: [] as string[], known: [] as string[] };
    const pattern = /called '.* ([\w-]+)'" -l ([\w-]+) .* -r (-F|-f -a '.*)$/gm;
    for (const [, command, option, kind = ''] of fish.matchAll(pattern)) {
      const list = kind === '-F' ? 'files' : kind === "-f -a ''" ? 'unknown' : 'known';
      found[list].push(`${command} --${option}`);
    }
    for (const list of ['files', 'unknown', 'known'] as const) {
      const advice = `add a new option to values.${list} if it belongs there; ${placeholders}`;
      // Two commands may have the same name and options: `push` and `site push`.
      expect([...new Set(found[list])].toSorted(), advice).toEqual(
        [...new Set(values[list])].toSorted(),
      );
    }
  });

  it('offers file names for arguments whose values are files', async () => {
    const fish = await scriptFor('fish');
    const commands = [...fish.matchAll(/called '.* ([\w-]+)'" -F$/gm)].map(([, name]) => name);
    const advice = `add a new command to this list if its argument is a file; ${placeholders}`;
    expect(commands, advice).toEqual([
      ...['init', 'preview', 'verify', 'inspect', 'diff', 'explain'],
      ...['sign', 'add', 'user-data', 'serve', 'upload'],
      'import',
    ]);
  });
});

describe.each(['zsh', 'fish'])('landfall completion %s', (shell) => {
  it('contains every command and option', async () => {
    const script = await scriptFor(shell);
    for (const command of visibleCommands()) {
      expect(script).toContain(command.name());
      for (const { long } of command.options) expect(script).toContain(long?.slice(2));
    }
  });
});

describe('landfall completion for an unknown shell', () => {
  it('rejects the completion for an unknown shell with the supported shells', async () => {
    await expect(scriptFor('tcsh')).rejects.toThrow(/bash, zsh, fish/);
  });
});
