import { afterEach, describe, expect, it, vi } from 'vitest';
import { landfall } from './landfall.ts';

afterEach(() => vi.restoreAllMocks());

/** Runs a command line and returns what it prints to the console. */
async function printed(...args: readonly string[]) {
  const lines: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  return { ...(await landfall('doctor', ...args)), text: lines.join('\n') };
}

describe('landfall doctor --fix', () => {
  it('must be run as root', async () => {
    vi.spyOn(process, 'getuid').mockReturnValue(1000);
    const { code, stderr } = await printed('--fix', '--yes');
    expect(code).toBe(11);
    expect(stderr).toContain('NOT_ROOT: landfall doctor --fix must be run as root');
  });

  it.each([['--fix'], ['--fix --json']])('needs --yes without a terminal: %s', async (flags) => {
    vi.spyOn(process, 'getuid').mockReturnValue(0);
    const { code, stdout, stderr } = await printed(...flags.split(' '));
    expect(code).toBe(2);
    expect(stdout + stderr).toContain('Add --yes to apply all safe fixes without questions.');
  });
});

describe('landfall doctor --symptom', () => {
  it('lists the symptoms, also as JSON', async () => {
    expect((await printed('--symptom', 'list')).text).toContain('editor-code  ');
    vi.restoreAllMocks();
    const { text } = await printed('--symptom', 'list', '--json');
    expect(JSON.parse(text)).toContainEqual({
      name: 'browser-403',
      title: 'the browser shows 403',
    });
  });

  it('prints all questions and remedies without a terminal', async () => {
    const { text } = await printed('--symptom', 'ssh-locked-out');
    expect(text).toMatch(/^I am locked out of SSH\n\nWhat does `ssh` print\?\n- Permission denied/);
    expect(text).toContain('\n  Which user and key do you use?\n  - root\n    Root logins are');
  });

  it('prints the whole walk as one object', async () => {
    const { text } = await printed('--symptom', 'editor-code', '--json');
    expect(JSON.parse(text)).toMatchObject({
      name: 'editor-code',
      condition: 'editor verification code not received',
      first: { answers: [{ answer: 'only in the inbox', remedy: expect.any(String) }, {}] },
    });
  });

  it('rejects an unknown name with the known ones', async () => {
    const { code, stderr } = await printed('--symptom', 'none');
    expect(code).toBe(2);
    expect(stderr).toContain('Allowed choices are list, browser-403');
  });
});
