import { afterEach, describe, expect, it } from 'vitest';
import { allErrorCodes } from '#contract/error-codes.ts';
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
  appliance.yaml:3:7  unknown key imgae（Did you mean image?）
  no platform
建议: 按上面的说明逐条修改。
提示: Fix the listed problems.`);
  });

  it('leaves out an English hint that says the same as the advice of the code', () => {
    setLanguage('zh');
    const full = new LandfallError('DISK_FULL', 'the disk is full', { hint: 'Free some space.' });
    expect(formatError(full)).toBe(
      '错误 DISK_FULL: 磁盘空间不足\n  the disk is full\n建议: 释放空间；`sudo landfall doctor` 会列出占用空间大的内容。',
    );
  });

  it('prints a hint in Chinese instead of the advice of the code', () => {
    setLanguage('zh');
    const hint = { en: 'Run it on a terminal.', zh: '在终端中运行。' };
    expect(formatError(new LandfallError('USAGE', 'no terminal', { hint }))).toBe(
      '错误 USAGE: 命令用法有误\n  no terminal\n建议: 在终端中运行。',
    );
  });

  it('prints a message that was made in Chinese without the meaning of the code', () => {
    setLanguage('zh');
    expect(
      formatError(new LandfallError('USAGE', '没有这个节点：gpu1', { hint: '看列表。' })),
    ).toBe('错误 USAGE: 没有这个节点：gpu1\n建议: 看列表。');
  });

  it('keeps a hint of a code without advice', () => {
    setLanguage('zh');
    const odd = new LandfallError('IMAGE_SOURCE', 'it is no file', { hint: 'Use oci:.' });
    expect(formatError(odd)).toBe(
      '错误 IMAGE_SOURCE: 镜像文件不完整或格式不对\n  it is no file\n提示: Use oci:.',
    );
  });

  it('passes the hint of an error on in the language in which it was made', () => {
    setLanguage('zh');
    const first = new LandfallError('NOT_ROOT', 'no', {
      hint: { en: 'Use sudo.', zh: '用 sudo。' },
    });
    const again = new LandfallError(first.code, first.message, { hint: first.hint });
    expect(formatError(again)).toContain('\n建议: 用 sudo。');
  });

  it('translates every error code to Chinese, with advice as a sentence', () => {
    expect(Object.keys(chineseErrors).toSorted()).toEqual(
      allErrorCodes()
        .map(({ code }) => code)
        .toSorted(),
    );
    for (const [title, advice = '。'] of Object.values(chineseErrors)) {
      expect(title).toMatch(/\p{Script=Han}/u);
      expect(title).not.toMatch(/。$/);
      expect(advice).toMatch(/。$/);
    }
  });
});
