import { describe, expect, it } from 'vitest';
import { usageConditions } from '../../../../appliance/relay/report/usage-conditions.ts';
import { idOf } from '../../../../appliance/server/conditions/condition.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import { dayAgo, usageFiles } from './stored-usage-files.ts';

const owner = process.getuid?.() ?? 0;
const keys = [{ name: 'intern', tokens_per_day: 1000 }];
const ui = { tokens_per_day_per_user: 100 };

async function conditionsOf(
  files: Record<string, string>,
  known: readonly string[] = [],
  relay: object = { keys, ui },
) {
  const host = TemporaryHost.with(files);
  const providers = { openai: { base_url: 'https://api.openai.com/v1' } };
  const { site } = contextFor(host, { site: { providers, relay } });
  return usageConditions(host, site, new Set(known), owner);
}

describe('the alerts about relay keys', () => {
  const eighty = 'relay intern tokens_per_day 80';
  const all = 'relay intern tokens_per_day 100';

  it.each([
    [799, [], []],
    [800, [], [eighty]],
    [1000, [eighty], [all, eighty]],
    [5000, [], [all]],
    [900, [all], [eighty]],
  ])('report %d of 1,000 tokens after %j as %j', async (tokens, known, ids) => {
    const found = await conditionsOf(usageFiles({ intern: tokens }), known);
    expect(found.map(idOf)).toEqual(ids);
  });

  it('name the key, the budget and the end of the window', async () => {
    const files = usageFiles({ intern: 850 });
    const reset = dayAgo(-1);
    const [found] = await conditionsOf(files);
    expect(found).toMatchObject({ severity: 'attention', command: 'sudo landfall relay usage' });
    expect(found?.what.en).toBe(
      `the relay key intern has used 80 % of tokens_per_day (1000); it resets on ${reset} at 00:00 UTC`,
    );
    expect(found?.what.zh).toContain('已用掉');
  });

  it('do not report people of the chat UI, and nothing without budgets', async () => {
    expect(await conditionsOf(usageFiles({ 'ui/0123456789abcdef': 100 }))).toEqual([]);
    expect(await conditionsOf({}, [], { keys: ['phone'] })).toEqual([]);
  });

  it('report a key that is used from more than 20 networks a day, once', async () => {
    expect(await conditionsOf(usageFiles({ intern: 1 }, { intern: 20 }))).toEqual([]);
    const files = usageFiles({ intern: 1 }, { intern: 21 });
    const found = await conditionsOf(files);
    expect(found.map(idOf)).toEqual(['relay intern networks']);
    expect(await conditionsOf(files, found.map(idOf))).toEqual(found);
    expect(found[0]?.what).toEqual({
      en: 'the relay key intern was used from more than 20 networks today (UTC); it may be stolen',
      zh: '中继密钥 intern 今天（UTC）的来源网段超过 20 个，可能已泄露',
    });
  });

  it('report usage that cannot be counted', async () => {
    expect(await conditionsOf({})).toMatchObject([
      {
        topic: 'relay usage',
        what: { en: 'counting of relay keys failed: its folder does not exist' },
        command: 'sudo landfall doctor',
      },
    ]);
  });
});
