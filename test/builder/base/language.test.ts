import { afterEach, describe, expect, it } from 'vitest';
import { currentLanguage, setLanguage } from '#contract/text/language.ts';
import { setChineseRows } from '#contract/text/translated.ts';
import { speakAs } from '../../../builder/base/language.ts';
import { run } from '../../../builder/bin/program.ts';
import { terminalIn } from '../commands/terminal.ts';

afterEach(() => {
  setLanguage('en');
  setChineseRows({});
});

describe('the language of a command of the builder', () => {
  const call = ['verify', '/nowhere.tar'];

  it('prints errors in the language of the locale', async () => {
    const terminal = terminalIn('/', { LANG: 'zh_CN.UTF-8' });
    await run(call, terminal.context);
    expect(terminal.err()).toBe('错误 FILE_MISSING: /nowhere.tar 不存在\n建议: 检查路径。\n');
  });

  it('prints JSON in English, whatever the locale is', async () => {
    const terminal = terminalIn('/', { LANG: 'zh_CN.UTF-8' });
    await run([...call, '--json'], terminal.context);
    const { message, hint } = JSON.parse(terminal.out()).error;
    expect([message, hint]).toEqual(['/nowhere.tar does not exist', 'Check the path.']);
  });

  it.each([
    [{ language: 'zh' }, {}, 'zh'],
    [{ language: 'zh' }, { json: true }, 'en'],
    [{}, {}, 'en'],
  ] as const)(
    'goes on with the site %j and the options %j in %s',
    async (site, flags, language) => {
      await speakAs(site, flags);
      expect(currentLanguage()).toBe(language);
    },
  );
});
