import { describe, expect, it } from 'vitest';
import { relayUsageCheck } from '../../../../../appliance/operations/doctor/checks/relay.ts';
import { contextFor } from '../../../context.ts';
import { TemporaryHost } from '../../../temporary-host.ts';
import { english } from '../look.ts';

async function findingsOf(relay: object) {
  if (relayUsageCheck.needs !== 'site') throw new Error('it reads the site');
  const providers = { openai: { base_url: 'https://api.openai.com/v1' } };
  return relayUsageCheck.run(contextFor(TemporaryHost.with({}), { site: { providers, relay } }));
}

describe('the check of the usage of relay keys', () => {
  it('reports usage that cannot be read', async () => {
    expect(await findingsOf({ keys: [{ name: 'intern', tokens_per_day: 5 }] })).toEqual([
      {
        code: 'RELAY_USAGE_UNUSABLE',
        subject: '/var/lib/landfall/relay-usage',
        text: english('the relay cannot count the usage of its keys: its folder does not exist'),
      },
    ]);
  });

  it('reports nothing for a site without budgets', async () => {
    expect(await findingsOf({ keys: ['phone'] })).toEqual([]);
  });
});
