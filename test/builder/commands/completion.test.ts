import { execFileSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { landfallProgram } from '../../../builder/program.ts';
import { terminalIn } from './terminal.ts';

async function scriptFor(shell: string): Promise<string> {
  const { context, out } = terminalIn('.');
  await landfallProgram(context).parseAsync(['completion', shell], { from: 'user' });
  return out();
}

let bash: string;
beforeAll(async () => {
  bash = await scriptFor('bash');
});

/** What bash offers for a line, of which the last word is being typed. */
function offers(...words: string[]): string[] {
  const typed = words.map((word) => `'${word}'`).join(' ');
  const script = `${bash}
COMP_WORDS=(landfall ${typed}); COMP_CWORD=${words.length}
_landfall
printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-u', '-c', script], { encoding: 'utf8' }).trim().split('\n');
}

describe('landfall completion bash', () => {
  it('is a script that bash can read', () => {
    expect(execFileSync('bash', ['-n'], { input: bash, encoding: 'utf8' })).toBe('');
  });

  it('knows every command of the program', () => {
    const names = landfallProgram(terminalIn('.').context).commands.map((each) => each.name());
    expect(names).toContain('build');
    expect(offers('')).toEqual([...names, 'help']);
  });

  it('knows every option of every command', () => {
    for (const command of landfallProgram(terminalIn('.').context).commands) {
      const options = command.options.map(({ long }) => long);
      expect(offers(command.name(), '--')).toEqual([...options, '--help']);
    }
  });

  it('knows the values that an option or an argument takes', () => {
    expect(offers('init', '--tls', 'acme-')).toEqual(['acme-staging', 'acme-ip']);
    expect(offers('schema', '')).toEqual(['appliance', 'site']);
    expect(offers('completion', 'f')).toEqual(['fish']);
  });
});

describe.each(['zsh', 'fish'])('landfall completion %s', (shell) => {
  it('names every command and option of the program', async () => {
    const script = await scriptFor(shell);
    for (const command of landfallProgram(terminalIn('.').context).commands) {
      expect(script).toContain(command.name());
      for (const { long } of command.options) expect(script).toContain(long?.slice(2));
    }
  });
});

describe('landfall completion for a shell that nobody knows', () => {
  it('is refused with the shells that are known', async () => {
    await expect(scriptFor('tcsh')).rejects.toThrow(/bash, zsh, fish/);
  });
});
