import { describe, expect, it } from 'vitest';
import { releaseCondition } from '../../../appliance/commands/release-condition.ts';
import { colourOf, lineOf } from '../../../appliance/server/conditions/condition.ts';
import { found } from '../../golden/topics/updates.ts';

function lineFor(facts: Parameters<typeof releaseCondition>[0], language: 'en' | 'zh' = 'en') {
  const condition = releaseCondition(facts);
  return condition && lineOf(condition, language);
}

describe('what to know about the release', () => {
  const status = 'sudo landfall update status';
  it.each([
    ['update', 'verifying', 'update: release 0.2.0 is being installed (verifying)'],
    ['rollback', 'closed', 'update: going back to release 0.2.0 (closed)'],
    ['restore', 'copied', 'restore: a backup is being restored (copied)'],
    ['site', 'preparing', 'site: a changed site is being applied (preparing)'],
  ] as const)('says what is being applied: %s', (kind, state, en) => {
    expect(lineFor({ updating: { kind, to: '0.2.0', state } })).toBe(`${en}; ${status}`);
  });

  it('says it in Chinese', () => {
    const updating = { kind: 'update', to: '0.2.0', state: 'verifying' } as const;
    expect(lineFor({ updating }, 'zh')).toBe(`更新：正在安装版本 0.2.0（测试中）；${status}`);
  });

  it('names the command for a rollback that is stuck, in red', () => {
    const condition = releaseCondition({
      updating: { kind: 'update', to: '0.2.0', state: 'stuck' },
    });
    expect(condition).toMatchObject({
      what: { en: 'the rollback of 0.2.0 is stuck; nothing was deleted' },
      command: 'sudo landfall update resume',
    });
    expect(condition && colourOf(condition)).toBe('red');
  });

  it('names what a stuck rollback belongs to', () => {
    const updating = { kind: 'restore', to: '0.2.0', state: 'stuck' } as const;
    const resume = 'sudo landfall update resume';
    expect(lineFor({ updating })).toBe(
      `update: restore of a backup: the rollback is stuck; nothing was deleted; ${resume}`,
    );
    expect(lineFor({ updating }, 'zh')).toBe(
      `更新：恢复备份：回滚已停住；没有删除任何数据；${resume}`,
    );
  });

  it('says nothing before the first check, and of a server that is up to date', () => {
    expect(lineFor({})).toBeUndefined();
    expect(lineFor({ update: { ...found, offer: { kind: 'up-to-date' } } })).toBeUndefined();
  });
});
