import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { formatError } from '#contract/text/error.ts';
import { setLanguage } from '#contract/text/language.ts';
import { setChineseRows, translated } from '#contract/text/translated.ts';
import { serverRows } from '../../../appliance/commands/chinese/rows.ts';

beforeEach(() => {
  setChineseRows(serverRows);
  setLanguage('zh');
});
afterEach(() => {
  setLanguage('en');
  setChineseRows({});
});

describe('an error of the server in Chinese', () => {
  it('is whole in Chinese, without the meaning of its code', () => {
    const hint = { en: 'Choose from: ui.', zh: '可选：ui。' };
    const error = new LandfallError('USAGE', 'not a component of this server: chat', { hint });
    expect(formatError(error)).toBe('错误 USAGE: 这台服务器没有这个组件：chat\n建议: 可选：ui。');
  });

  it.each([
    [
      'oapi.example rejected the message: status 200, error 19021',
      'oapi.example 拒绝了消息：状态 200，错误 19021',
    ],
    ['mail.example:465 rejected the login: status 535', 'mail.example:465 拒绝了登录：状态 535'],
    [
      'sftp://b@host/p is full: the earlier password stays valid everywhere',
      'sftp://b@host/p 已满：旧密码在所有位置仍然有效',
    ],
    [
      'the restore test of s3:x failed: s3:x cannot be reached',
      's3:x 的恢复测试失败：无法连接 s3:x',
    ],
    ['3 chats before the update, none readable after it', '更新前有 3 个对话，更新后：无法读取'],
    [
      'redirected users cannot use a proxy that is reached over TLS',
      '转发的用户不能使用通过 TLS 连接的代理',
    ],
    [
      'fetching a.tar: x.example closed the connection early; retrying in 2 s',
      '下载 a.tar：x.example 提前关闭了连接；2 s 后重试',
    ],
    ['systemctl restart docker exited with code 1', 'systemctl restart docker 以退出码 1 结束'],
    ['HAProxy does not find gpu1: it has no Ollama yet', 'HAProxy 找不到 gpu1：它还没有 Ollama'],
    ['the list of chats: status 500 instead of 200', '对话列表：返回状态 500，应为 200'],
    [
      'PasswordAuthentication is yes for root, not no',
      'root 的 PasswordAuthentication 是 yes，应为 no',
    ],
  ])('translates its parts: %s', (english, chinese) => {
    expect(translated(english)).toBe(chinese);
  });
});
