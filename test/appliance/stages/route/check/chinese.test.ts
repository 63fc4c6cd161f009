import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setLanguage } from '#contract/text/language.ts';
import { lineOf } from '../../../../../appliance/server/conditions/condition.ts';
import {
  describeChecked,
  routeConditions,
  routeWarnings,
} from '../../../../../appliance/stages/route/check/describe.ts';
import { nextState } from '../../../../../appliance/stages/route/check/state.ts';
import type { Checked } from '../../../../../appliance/stages/route/probe-destinations.ts';

beforeEach(() => setLanguage('zh'));
afterEach(() => setLanguage('en'));

const checked: Checked = {
  subject: 'provider openai',
  title: { en: 'provider openai', zh: '模型服务商 openai' },
  failure: 'api.openai.com: no response',
  code: 'NETWORK_TIMEOUT',
  warning: { kind: 'provider', subject: 'openai' },
};
const at = new Date('2026-11-22T00:00:00.000Z');

describe('the state of the route in Chinese', () => {
  it('names the destination and the meaning of the failure', () => {
    const { state } = nextState(undefined, [checked], at);
    expect(routeConditions(state).map((each) => lineOf(each))).toEqual([
      '线路：模型服务商 openai 自 2026-11-22 00:00 UTC 起检查失败 1 次（3 次后告警）：连接超时：api.openai.com: no response；sudo landfall route test',
    ]);
    expect(describeChecked([checked])).toContain('失败  连接超时：api.openai.com: no response');
  });

  it('writes warnings in the language of the site, whatever the terminal has', () => {
    let state = nextState(undefined, [checked], at).state;
    for (const _again of [1, 2]) state = nextState(state, [checked], at).state;
    const texts = (['en', 'zh'] as const).flatMap((language) =>
      routeWarnings([], [checked], state, language).map(({ text }) => text),
    );
    expect(texts).toEqual([
      'route: provider openai failed since 2026-11-22 00:00 UTC: api.openai.com: no response; sudo landfall route test',
      '线路：模型服务商 openai 自 2026-11-22 00:00 UTC 起失败：连接超时：api.openai.com: no response；sudo landfall route test',
    ]);
  });
});
