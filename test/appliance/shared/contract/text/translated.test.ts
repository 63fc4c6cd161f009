import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { formatError } from '#contract/text/error.ts';
import { setLanguage } from '#contract/text/language.ts';
import { setChineseRows, translated } from '#contract/text/translated.ts';

beforeEach(() => {
  setChineseRows({
    'nothing was written': '没有写入任何文件',
    'connection refused': '连接被拒绝',
    '{} is unreachable: {}': '无法连接 {1}：{2}',
    '{} is {}': '{1} 是 {2}',
    '{} of {} files (all)': '{2} 个文件中的 {1} 个（全部）',
    'Check {}.': '检查 {1}。',
    'fetching the long name of {} from {}': '从 {2} 获取 {1}',
    '{}: {}; retrying': '{1}：{2}；重试',
  });
  setLanguage('zh');
});
afterEach(() => {
  setLanguage('en');
  setChineseRows({});
});

describe('a text with a Chinese row', () => {
  it.each([
    ['nothing was written', '没有写入任何文件'],
    ['3 of 4 files (all)', '4 个文件中的 3 个（全部）'],
    ['db.example is unreachable: connection refused', '无法连接 db.example：连接被拒绝'],
    ['node for amd64: connection refused', 'node for amd64：连接被拒绝'],
    [
      'fetching the long name of x from y: connection refused; retrying',
      '从 y 获取 x：连接被拒绝；重试',
    ],
    ['$& is $1', '$& 是 $1'],
    ['/home/me/a: file', '/home/me/a: file'],
    ['nothing was read', 'nothing was read'],
  ])('translates %j to %j', (english, chinese) => {
    expect(translated(english)).toBe(chinese);
  });

  it('stays English in English', () => {
    setLanguage('en');
    expect(translated('nothing was written')).toBe('nothing was written');
  });

  it('prints an error in Chinese only, with the problems', () => {
    const error = new LandfallError('NETWORK_UNREACHABLE', 'a is unreachable: connection refused', {
      hint: 'Check x.',
      problems: [{ message: 'b: connection refused', hint: 'Check y.' }],
    });
    expect(formatError(error)).toBe(
      '错误 NETWORK_UNREACHABLE: 无法连接 a：连接被拒绝\n  b：连接被拒绝（检查 y。）\n建议: 检查 x。',
    );
  });
});
