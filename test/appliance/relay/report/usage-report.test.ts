import { describe, expect, it } from 'vitest';
import { readUsage } from '../../../../appliance/relay/report/usage-report.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import { usageFiles } from './stored-usage-files.ts';

const owner = process.getuid?.() ?? 0;
const keys = ['phone', { name: 'intern', tokens_per_day: 1000, requests_per_day: 9 }];
const ui = { tokens_per_day_per_user: 800 };

async function usageOf(files: Record<string, string>, days = 1, relay: object = { keys, ui }) {
  const host = TemporaryHost.with(files);
  const providers = { openai: { base_url: 'https://api.openai.com/v1' } };
  const { site } = contextFor(host, { site: { providers, relay } });
  return readUsage(host, site, { days, now: Date.now(), owner });
}

describe('the usage report', () => {
  it('lists the keys of the site with a budget, then people and keys that are gone', async () => {
    const usage = await usageOf(usageFiles({ gone: 5, intern: 900, 'ui/0123456789abcdef': 100 }));
    expect(usage).toMatchObject([
      { key: 'intern', tokens: 900, estimated: 225, requests: 2, refused: 1 },
      { key: 'gone', tokens: 5, limits: [] },
      { key: 'ui', person: '0123456789abcdef', tokens: 100 },
    ]);
    if (typeof usage === 'string') throw new Error(usage);
    const [intern, , person] = usage;
    const midnight = new Date(new Date().setUTCHours(24, 0, 0, 0));
    expect(intern?.limits).toEqual([
      { limit: 'tokens_per_day', budget: 1000, used: 900, left: 100, reset: midnight },
      { limit: 'requests_per_day', budget: 9, used: 2, left: 7, reset: midnight },
    ]);
    expect(person?.limits).toMatchObject([{ budget: 800, left: 700 }]);
  });

  it('sums several days, today included', async () => {
    expect(await usageOf(usageFiles({ intern: 900 }), 2)).toMatchObject([
      { tokens: 1300, requests: 4, refused: 2 },
    ]);
  });

  it('lists a key that was not used yet', async () => {
    expect(await usageOf(usageFiles({}))).toMatchObject([{ key: 'intern', tokens: 0 }]);
  });

  it('names the problem of usage that cannot be read', async () => {
    expect(await usageOf({})).toBe('missing');
    expect(await usageOf({ 'var/lib/landfall/relay-usage/state.json': '{' })).toBe('damaged');
  });
});
