import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderMessage, testMessage } from '../../../../appliance/server/alerts/message.ts';
import { failedAlert, workingAlert } from './fixture.ts';

describe('a message', () => {
  it('says what failed, since when, why, and what to run', () => {
    const { title, text } = renderMessage('vps-1', [failedAlert]);
    expect(title).toBe('Landfall on vps-1: images of docker.io & others failed');
    expect(text.split('\n')).toEqual([
      title,
      'Failed: images of docker.io & others, since 2026-11-22 21:15 UTC (registry-1.docker.io is unreachable: connection refused).',
      'Run: sudo landfall route test',
    ]);
  });

  it('says how long it failed when it works again', () => {
    expect(renderMessage('vps-1', [workingAlert]).text).toContain(
      'Working again: images of docker.io & others. It failed from 2026-11-22 21:15 UTC to 2026-11-22 22:00 UTC.',
    );
  });

  it('writes a message in the language and the time zone of the site', () => {
    const site = { language: 'zh', timezone: 'Asia/Shanghai' } as const;
    const { title, text } = renderMessage('vps-1', [failedAlert, workingAlert], site);
    expect(title).toBe('Landfall（vps-1）：1 项故障，1 项已恢复');
    expect(text.split('\n')).toEqual([
      title,
      '故障：images of docker.io & others，始于 2026-11-23 05:15 Asia/Shanghai（registry-1.docker.io is unreachable: connection refused）。',
      '已恢复：images of docker.io & others。故障时间：2026-11-23 05:15 Asia/Shanghai 至 2026-11-23 06:00 Asia/Shanghai。',
      '请运行：sudo landfall route test',
    ]);
    expect(testMessage('vps-1', site).text).toBe('Landfall（vps-1）：测试消息\n告警会发送到这里。');
  });

  it('counts several changes in its title', () => {
    const { title } = renderMessage('vps-1', [
      failedAlert,
      { ...failedAlert, subject: 'provider openai' },
      { ...workingAlert, subject: 'packages of deb.debian.org' },
    ]);
    expect(title).toBe('Landfall on vps-1: 2 failed, 1 working again');
  });

  it('contains the word Landfall, which robots can require, also as a test', () => {
    expect(testMessage('vps-1').text).toContain('Landfall');
  });

  it('writes no mentions or tags in a message, and fits the limits of all vendors', () => {
    const any = fc.string({ unit: 'grapheme', maxLength: 200 });
    fc.assert(
      fc.property(any, fc.array(any, { maxLength: 64 }), (server, subjects) => {
        const alerts = subjects.map((subject) => ({ ...failedAlert, subject, detail: subject }));
        const { text, title } = renderMessage(server, alerts);
        expect(`${title}${text}`).not.toMatch(/[<>]/);
        expect(Buffer.byteLength(text)).toBeLessThan(2048);
      }),
    );
  });
});
