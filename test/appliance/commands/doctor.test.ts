import { afterEach, describe, expect, it, vi } from 'vitest';
import { setLanguage } from '#contract/text/language.ts';
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

  it('prints the section of the page in the language of the terminal', async () => {
    const english = (await printed('--symptom', 'ssh-locked-out')).text;
    expect(english).toMatch(
      /^I am locked out of SSH\n\n- `Permission denied \(publickey\)` for root\. Root/,
    );
    vi.restoreAllMocks();
    setLanguage('zh');
    const chinese = (await printed('--symptom', 'ssh-locked-out')).text;
    setLanguage('en');
    expect(chinese).toMatch(/^无法通过 SSH 登录\n\n- /);
  });

  it('prints the section as one object', async () => {
    const { text } = await printed('--symptom', 'editor-code', '--json');
    expect(JSON.parse(text)).toMatchObject({
      name: 'editor-code',
      title: 'the verification code of the editor does not arrive',
      text: expect.stringContaining('check the spam folder'),
    });
  });

  it('rejects an unknown name with the known ones', async () => {
    const { code, stderr } = await printed('--symptom', 'none');
    expect(code).toBe(2);
    expect(stderr).toContain('Allowed choices are list, browser-403');
  });
});
