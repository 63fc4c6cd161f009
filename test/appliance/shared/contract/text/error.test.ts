import { afterEach, describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { chineseErrors } from '#contract/text/chinese-errors.ts';
import { formatError } from '#contract/text/error.ts';
import { setLanguage } from '#contract/text/language.ts';

const error = new LandfallError('CONFIG_INVALID', 'appliance.yaml is not valid', {
  hint: 'Fix the listed problems.',
  problems: [
    {
      message: 'unknown key imgae',
      hint: 'Did you mean image?',
      file: 'appliance.yaml',
      line: 3,
      column: 7,
    },
    { message: 'no platform' },
  ],
});

describe('a formatted error', () => {
  it('contains the message, the problems and the hint', () => {
    expect(formatError(error)).toBe(`error CONFIG_INVALID: appliance.yaml is not valid
  appliance.yaml:3:7  unknown key imgae (Did you mean image?)
  no platform
hint: Fix the listed problems.`);
  });

  it('may have a label and colours', () => {
    const usage = new LandfallError('USAGE', 'no', { hint: 'Look.' });
    const paint = (format: string, text: string) => `<${format}>${text}</>`;
    expect(formatError(usage, { label: 'landfall:', paint })).toBe(
      '<red>landfall:</> <bold>USAGE</>: no\n<yellow>hint</>: Look.',
    );
  });

  it('ends with the retry advice', () => {
    const usage = new LandfallError('USAGE', 'no', { hint: 'Look.' });
    expect(formatError(usage, { retry: 'it is retried automatically' })).toBe(
      'error USAGE: no\nhint: Look.\nit is retried automatically',
    );
  });

  it('contains the stack of an unexpected error, with a request to report it', () => {
    const text = formatError(new TypeError('x is not a function'));
    expect(text).toContain('a bug in Landfall');
    expect(text).toContain('error.test.ts');
  });
});

describe('an error in Chinese', () => {
  afterEach(() => setLanguage('en'));

  it('begins with the meaning of its code, and keeps the message and the hint', () => {
    setLanguage('zh');
    expect(formatError(error)).toBe(`错误 CONFIG_INVALID: 配置内容无效
  appliance.yaml is not valid
  appliance.yaml:3:7  unknown key imgae (Did you mean image?)
  no platform
建议: 按上面的说明逐条修改。
提示: Fix the listed problems.`);
  });

  it('prints an error in English if its code has no Chinese text', () => {
    setLanguage('zh');
    const rare = new LandfallError('BUNDLE_HEAD', 'a member is missing');
    expect(formatError(rare)).toBe('错误 BUNDLE_HEAD: a member is missing');
  });

  it('translates at least 30 error codes to Chinese, each with advice', () => {
    expect(Object.keys(chineseErrors).length).toBeGreaterThanOrEqual(30);
    for (const [title, hint] of Object.values(chineseErrors)) {
      expect(title).toMatch(/[\u4e00-\u9fff]$/);
      expect(hint).toMatch(/。$/);
    }
  });
});
