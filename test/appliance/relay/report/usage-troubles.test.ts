import { afterEach, describe, expect, it } from 'vitest';
import { setLanguage } from '#contract/text/language.ts';
import { usageTroubles } from '../../../../appliance/relay/report/usage-troubles.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import { dayAgo, usageFiles } from './stored-usage-files.ts';

const owner = process.getuid?.() ?? 0;
const keys = [{ name: 'intern', tokens_per_day: 1000 }];
const ui = { tokens_per_day_per_user: 100 };
afterEach(() => setLanguage('en'));

async function troublesOf(
  files: Record<string, string>,
  known: readonly string[] = [],
  relay: object = { keys, ui },
  language = 'en',
) {
  const host = TemporaryHost.with(files);
  const providers = { openai: { base_url: 'https://api.openai.com/v1' } };
  const { site } = contextFor(host, { site: { providers, relay, language } });
  return usageTroubles(host, site, new Set(known), owner);
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
    const troubles = await troublesOf(usageFiles({ intern: tokens }), known);
    expect(troubles.map(({ id }) => id)).toEqual(ids);
  });

  it('name the key, the budget and the end of the window', async () => {
    const files = usageFiles({ intern: 850 });
    const reset = dayAgo(-1);
    expect(await troublesOf(files)).toEqual([
      {
        id: eighty,
        state: 'notice',
        command: 'sudo landfall relay usage',
        subject: `the relay key intern has used 80 % of tokens_per_day (1000); it resets on ${reset} at 00:00 UTC`,
      },
    ]);
    const [chinese] = await troublesOf(files, [], { keys, ui }, 'zh');
    expect(chinese?.subject).toContain('已用掉');
  });

  it('do not report people of the chat UI, and nothing without budgets', async () => {
    expect(await troublesOf(usageFiles({ 'ui/0123456789abcdef': 100 }))).toEqual([]);
    expect(await troublesOf({}, [], { keys: ['phone'] })).toEqual([]);
  });

  it('report a key that is used from more than 20 networks a day, once', async () => {
    expect(await troublesOf(usageFiles({ intern: 1 }, { intern: 20 }))).toEqual([]);
    const files = usageFiles({ intern: 1 }, { intern: 21 });
    const alert = {
      ...{ id: 'relay intern networks', state: 'notice', command: 'sudo landfall relay usage' },
      subject:
        'the relay key intern was used from more than 20 networks today (UTC); it may be stolen',
    };
    expect(await troublesOf(files)).toEqual([alert]);
    expect(await troublesOf(files, [alert.id])).toEqual([alert]);
    const [chinese] = await troublesOf(files, [], { keys, ui }, 'zh');
    expect(chinese?.subject).toBe('中继密钥 intern 今天（UTC）的来源网段超过 20 个，可能已泄露');
  });

  it('report usage that cannot be counted', async () => {
    expect(await troublesOf({})).toEqual([
      {
        id: 'relay usage',
        state: 'failed',
        subject: 'counting of relay keys',
        detail: 'its folder does not exist',
        command: 'sudo landfall doctor',
      },
    ]);
  });
});
