import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setLanguage } from '#contract/text/language.ts';
import { consoleLines } from '../../../../appliance/server/progress/console.ts';
import { renderMotd } from '../../../../appliance/server/progress/motd.ts';
import type { Status } from '../../../../appliance/server/progress/status.ts';
import { rowsOf } from '../../../../appliance/server/progress/terminal/table.ts';
import { statusOf } from './status-of.ts';

beforeEach(() => setLanguage('zh'));
afterEach(() => setLanguage('en'));

const rows = (status: Status, interrupted = false) =>
  rowsOf({ kind: 'stages', status, interrupted, installed: true }, Date.now())
    .map(({ text }) => text)
    .join('\n');

describe('the progress in Chinese', () => {
  it('translates the states of the stages', () => {
    const text = rows(statusOf('images', 'failed'));
    expect(text).toMatch(/ 8 {2}runtime +(?:完成|未改动) /);
    expect(text).toMatch(/ 9 {2}images +失败/);
    expect(text).toMatch(/10 {2}secrets +等待/);
    expect(rows(statusOf('images'), true)).toMatch(/images +已中断/);
  });

  it('prints the meaning of an error above its message, and no hint that says the same', () => {
    const error = {
      code: 'DISK_FULL',
      message: 'no space on /var',
      hint: 'Free it.',
      retriable: true,
    };
    const text = rows(statusOf('images', 'failed', { error }));
    expect(text).toContain('DISK_FULL: 磁盘空间不足\n  no space on /var\n建议: 释放空间');
    expect(text).not.toContain('Free it.');
    expect(text).toContain('\n请运行：sudo landfall first-boot');
  });

  it('keeps lines in Chinese off the console of the server, which has no font for them', () => {
    const lines: string[] = [];
    const listen = consoleLines((line) => lines.push(line), 'en');
    for (const line of ['创建用户 ops', 'installing sudo']) {
      listen({ ...statusOf('users'), line }, 'line');
    }
    expect(lines).toEqual(['          installing sudo']);
  });

  it('describes a setup without stages', () => {
    const [row] = rowsOf({ kind: 'installed', release: '1.2.0' }, 0);
    expect(row?.text).toBe('这台服务器已安装版本 1.2.0');
  });

  it('names the stage that runs, but in English on the console of the server', () => {
    const linesIn = (language?: 'en') => {
      const lines: string[] = [];
      consoleLines((line) => lines.push(line), language)(statusOf('images'), 'stage');
      return lines.join('\n');
    };
    expect(linesIn()).toContain('images: 载入容器镜像');
    expect(linesIn('en')).not.toMatch(/\p{Script=Han}/u);
  });
});

describe('the login message in Chinese', () => {
  it.each([
    ['a first boot that runs', statusOf('images'), '第 9 个阶段（共 15 个）：images'],
    ['one that waits', statusOf('route', 'running', { waitsFor: 'proxies' }), '等待导入代理节点'],
    ['one that has failed', statusOf('images', 'failed'), '会自动重试'],
  ])('describes %s, with the commands', (_case, status, words) => {
    const text = renderMotd(status, false, 'zh');
    expect(text).toContain(words);
    expect(text).toContain('landfall status');
    expect(text.replaceAll(/Landfall|(?:sudo )?(?:landfall|journalctl) .*/g, '')).not.toMatch(
      /[a-z]{8}/,
    );
  });

  it('advises to run a manual first boot again', () => {
    expect(renderMotd(statusOf('images', 'failed'), true, 'zh')).toContain(
      '解决后运行： sudo landfall first-boot',
    );
  });
});
