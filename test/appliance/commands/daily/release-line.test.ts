import { afterEach, expect, it } from 'vitest';
import { setLanguage } from '#contract/text/language.ts';
import { releaseLine } from '../../../../appliance/commands/daily/release-line.ts';

afterEach(() => setLanguage('en'));

it.each([
  ['update', 'verifying', '0.1.0; 0.2.0 is being installed', '0.1.0；正在安装 0.2.0'],
  ['rollback', 'closed', '0.1.0; going back to 0.2.0', '0.1.0；正在回滚到 0.2.0'],
  ['restore', 'copied', '0.1.0; a backup is being restored', '0.1.0；正在恢复备份'],
  ['site', 'preparing', '0.1.0; a changed site is being applied', '0.1.0；正在应用站点更改'],
] as const)('says what is being applied: %s', (kind, state, en, zh) => {
  const facts = { release: '0.1.0', update: undefined, updating: { kind, to: '0.2.0', state } };
  expect(releaseLine(facts).text).toBe(en);
  setLanguage('zh');
  expect(releaseLine(facts).text).toBe(zh);
});

it('names the command for a rollback that is stuck', () => {
  const updating = { kind: 'update', to: '0.2.0', state: 'stuck' } as const;
  const { text, colour } = releaseLine({ release: '0.1.0', update: undefined, updating });
  expect(text).toBe('0.1.0; the rollback of 0.2.0 is stuck; sudo landfall update resume');
  expect(colour).toBe('red');
});
