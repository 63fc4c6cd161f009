import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { type CompletionTree, completionScript } from '../../../builder/completion/script.ts';

const tree: CompletionTree = [
  {
    name: 'build',
    description: "build somebody's bundles",
    choices: [],
    options: [
      {
        name: '--arch',
        description: 'the [one] architecture',
        choices: ['amd64', 'arm64'],
        takesValue: true,
      },
      { name: '--output', description: 'where to', choices: [], takesValue: true },
      { name: '--full', description: 'everything', choices: [], takesValue: false },
    ],
  },
  { name: 'schema', description: 'print it', choices: ['appliance', 'site'], options: [] },
];

/** What bash offers after these words; the last one is being typed. */
function bashOffers(...words: string[]): string[] {
  const typed = words.map((word) => `'${word}'`).join(' ');
  const script = `${completionScript('bash', tree)}
COMP_WORDS=(landfall ${typed}); COMP_CWORD=${words.length}
_landfall
printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split('\n');
}

describe('completion in bash', () => {
  it('offers the commands first', () => {
    expect(bashOffers('')).toEqual(['build', 'schema']);
    expect(bashOffers('sc')).toEqual(['schema']);
  });

  it('offers the options of the command', () => {
    expect(bashOffers('build', '--')).toEqual(['--arch', '--output', '--full']);
  });

  it('offers the values of an option', () => {
    expect(bashOffers('build', '--arch', '')).toEqual(['amd64', 'arm64']);
    expect(bashOffers('build', '--full', '--arch', 'ar')).toEqual(['arm64']);
  });

  it('offers the values of an argument', () => {
    expect(bashOffers('schema', 's')).toEqual(['site']);
  });

  it('offers files where it knows nothing better', () => {
    expect(bashOffers('build', '--output', 'pack')).toContain('package.json');
  });
});

describe.each(['zsh', 'fish'] as const)('the script for %s', (shell) => {
  it('names every command and option once with its description', () => {
    const script = completionScript(shell, tree);
    for (const word of ['build', 'schema', 'arch', 'output', 'full', 'amd64', 'appliance']) {
      expect(script).toContain(word);
    }
  });

  it('keeps apostrophes from ending its quotes', () => {
    const script = completionScript(shell, tree);
    expect(script).toMatch(/somebody('\\''|\\')s bundles/);
  });
});
