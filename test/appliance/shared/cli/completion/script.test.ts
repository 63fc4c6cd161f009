import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { completionScript } from '#cli/completion/script.ts';
import type { CompletionTree, CompletionValue } from '#cli/completion/tree.ts';

const tree: CompletionTree = [
  {
    name: 'build',
    description: "build a user's bundles",
    argument: 'unknown',
    options: [
      {
        name: '--arch',
        description: 'the [one] architecture',
        value: ['amd64', 'arm64'],
        repeatable: true,
      },
      { name: '--output', description: 'where to', value: 'files', repeatable: false },
      { name: '--without', description: 'what not', value: 'unknown', repeatable: false },
      { name: '--full', description: 'everything', value: undefined, repeatable: false },
    ],
    commands: [],
  },
  {
    name: 'schema',
    description: 'print it',
    argument: ['appliance', 'site'],
    options: [],
    commands: [],
  },
  { name: 'verify', description: 'check it', argument: 'files', options: [], commands: [] },
];

/** What bash offers after these words; the last one is being typed. */
function bashOffers(...words: string[]): string[] {
  return bashOffersOf(tree, ...words);
}

function bashOffersOf(tree: CompletionTree, ...words: string[]): string[] {
  const typed = words.map((word) => `'${word}'`).join(' ');
  const script = `${completionScript('bash', tree)}
COMP_WORDS=(landfall ${typed}); COMP_CWORD=${words.length}
_landfall
printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split('\n');
}

describe('completion in bash', () => {
  it('offers the commands first', () => {
    expect(bashOffers('')).toEqual(['build', 'schema', 'verify', 'help']);
    expect(bashOffers('--')).toEqual(['--help', '--version']);
    expect(bashOffers('help', 'b')).toEqual(['build']);
    expect(bashOffers('sc')).toEqual(['schema']);
  });

  it('offers the options of the command', () => {
    expect(bashOffers('build', '--')).toEqual([
      '--arch',
      '--output',
      '--without',
      '--full',
      '--help',
    ]);
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

  it('leaves files to bash after a command or an option that takes a file', () => {
    expect(bashOffers('build', '')).toEqual(['']);
    expect(bashOffers('build', '--output', 'pack')).toEqual(['']);
    const registered = `${completionScript('bash', tree)}complete -p landfall`;
    expect(execFileSync('bash', ['-c', registered], { encoding: 'utf8' })).toContain('-o default');
  });

  it('accepts arbitrary user input', () => {
    for (const word of ['$(exit 9)', '`x`', '*', "'", '\\', '-*', '~']) {
      expect(() => bashOffers('build', word.replaceAll("'", "'\\''"))).not.toThrow();
    }
  });
});

describe.each(['zsh', 'fish'] as const)('the script for %s', (shell) => {
  it('lists every command and option once with its description', () => {
    const script = completionScript(shell, tree);
    for (const word of ['build', 'schema', 'arch', 'output', 'full', 'amd64', 'appliance']) {
      expect(script).toContain(word);
    }
  });

  it('escapes apostrophes', () => {
    const script = completionScript(shell, tree);
    expect(script).toMatch(/user('\\''|\\')s bundles/);
  });
});

describe('file names', () => {
  it('offers file names in zsh and fish only for file arguments', () => {
    const zsh = completionScript('zsh', tree);
    expect(zsh).toContain("'--output=[where to]:value:_files'");
    expect(zsh).toContain("'--without=[what not]:value: '");
    expect(zsh.match(/'\*:value:.*'/g)).toEqual([
      "'*:value: '",
      "'*:value:(appliance site)'",
      "'*:value:_files'",
    ]);
    const fish = completionScript('fish', tree);
    expect(fish).toContain("-l output -d 'where to' -r -F\n");
    expect(fish).toContain("-l without -d 'what not' -r -f\n");
    expect(fish).toContain("'__fish_seen_subcommand_from build' -f\n");
    expect(fish).toContain("'__fish_seen_subcommand_from verify' -F\n");
  });
});

describe('the script for zsh', () => {
  it('marks repeatable options', () => {
    const script = completionScript('zsh', tree);
    expect(script).toContain("'*--arch=[");
    expect(script).toContain("'--output=[");
  });
});

describe('subcommands', () => {
  const nested: CompletionTree = [
    leaf('list', '--long', 'unknown'),
    {
      ...leaf('models', '--verbose', undefined),
      commands: [leaf('list', '--json', undefined), leaf('pull', '--mirror', ['one', 'two'])],
    },
  ];

  function leaf(name: string, option: string, value: CompletionValue | undefined) {
    const options = [{ name: option, description: 'an option', value, repeatable: false }];
    return {
      name,
      description: `the ${name}`,
      argument: 'unknown' as const,
      options,
      commands: [],
    };
  }

  it('offers subcommands in bash after their command, with their own options', () => {
    const offers = (...words: string[]) => bashOffersOf(nested, ...words);
    expect(offers('models', '')).toEqual(['list', 'pull', 'help']);
    expect(offers('models', '-')).toEqual(['--verbose', '--help']);
    expect(offers('models', 'list', '-')).toEqual(['--json', '--help']);
    expect(offers('list', '-')).toEqual(['--long', '--help']);
    expect(offers('models', 'pull', 'name', '--mirror', '')).toEqual(['one', 'two']);
    expect(offers('models', 'pull', '--mirror=t')).toEqual(['--mirror=two']);
    expect(offers('list', 'pull', '--mirror', '')).toEqual(['']);
  });

  it('lists subcommands in zsh below their command', () => {
    const script = completionScript('zsh', nested);
    expect(script).toMatch(/models\).*'pull:the pull'.*case \$words\[2\] in.*pull\)/s);
  });

  it('distinguishes subcommands in fish from a command of the same name', () => {
    const script = completionScript('fish', nested);
    expect(script).toContain(
      "'__fish_seen_subcommand_from list; and not __fish_seen_subcommand_from models' -l long",
    );
    expect(script).toContain(
      "'__fish_seen_subcommand_from models; and not __fish_seen_subcommand_from list pull' -f -a pull",
    );
    expect(script).toContain(
      "'__fish_seen_subcommand_from models; and __fish_seen_subcommand_from list' -l json",
    );
  });
});
