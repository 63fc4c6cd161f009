import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setLanguage } from '#contract/text/language.ts';
import { showUsage, type UsageFlags } from '../../../../appliance/commands/relay/usage.ts';
import { personHash } from '../../../../appliance/relay/node/usage/open-usage.ts';
import { contextFor } from '../../context.ts';
import { dayAgo, personKey, usageFiles } from '../../relay/report/stored-usage-files.ts';
import { type Answers, TemporaryHost } from '../../temporary-host.ts';

const owner = process.getuid?.() ?? 0;
const keys = [{ name: 'intern', tokens_per_day: 1000, requests_per_day: 9 }];

let printed: string[];
beforeEach(() => {
  printed = [];
  vi.spyOn(console, 'log').mockImplementation((line) => void printed.push(String(line)));
});
afterEach(() => {
  vi.restoreAllMocks();
  setLanguage('en');
});

async function show(
  flags: Partial<UsageFlags> = {},
  files = usageFiles({ intern: 900, gone: 0 }, { intern: 3 }),
  relay: object = { keys },
  answers: Answers = { 'docker volume inspect': 1 },
) {
  const providers = { openai: { base_url: 'https://api.openai.com/v1' } };
  const facts = contextFor(TemporaryHost.with(files, answers), { site: { providers, relay } });
  await showUsage(facts, { since: 1, ...flags }, owner);
  return printed.join('\n');
}

describe('landfall relay usage', () => {
  it('shows one line for each key and limit', async () => {
    const reset = dayAgo(-1);
    expect((await show()).split('\n')).toEqual([
      expect.stringMatching(
        /^KEY +REQUESTS +TOKENS +ESTIMATED +REFUSED +NETWORKS +LIMIT +BUDGET +LEFT +RESET \(UTC\)$/,
      ),
      expect.stringMatching(`^intern +2 +900 +25 % +1 +3 +tokens_per_day +1000 +100 +${reset}$`),
      expect.stringMatching(`^ +requests_per_day +9 +7 +${reset}$`),
      expect.stringMatching(/^gone +2 +0 +0 % +1 +0$/),
    ]);
  });

  it('shows one key, and rejects an unknown one', async () => {
    expect(await show({ key: 'intern' })).not.toContain('gone');
    await expect(show({ key: 'x' })).rejects.toMatchObject({ code: 'USAGE' });
  });

  it('prints JSON and CSV', async () => {
    const json = JSON.parse(await show({ json: true, key: 'intern', since: 2 }));
    const reset = `${dayAgo(-1)}T00:00:00.000Z`;
    expect(json).toEqual({
      days: 2,
      accounts: [
        {
          ...{ key: 'intern', person: null, requests: 4, refused: 2, tokens: 1300, estimated: 325 },
          networks: 3,
          limits: [
            { limit: 'tokens_per_day', budget: 1000, used: 900, left: 100, reset },
            { limit: 'requests_per_day', budget: 9, used: 2, left: 7, reset },
          ],
        },
      ],
    });
    printed = [];
    expect((await show({ csv: true })).split('\r\n')).toEqual([
      'key,person,requests,tokens,estimated,refused,networks,limit,budget,left,reset',
      `intern,,2,900,225,1,3,tokens_per_day,1000,100,${reset}`,
      `intern,,2,900,225,1,3,requests_per_day,9,7,${reset}`,
      'gone,,2,0,0,1,0,,,,',
    ]);
  });

  it('shows the hash of a person whose account cannot be read', async () => {
    const files = usageFiles({ 'ui/0123456789abcdef': 5 });
    expect(await show({}, files)).toContain('ui: 0123456789abcdef');
  });

  it('shows the address of a person of the chat UI', async () => {
    const email = 'anna@example.com';
    const hash = personHash(Buffer.from(personKey, 'hex'), email);
    const account = { id: '1', email, name: 'Anna', role: 'user', stamp: null, lastActive: null };
    const answers = {
      'docker volume inspect': '"/volumes/landfall_ui-data/_data"',
      'systemctl stop landfall-volume-task.service': 5,
      'systemd-run': JSON.stringify({ accounts: [account] }),
    };
    const text = await show({}, usageFiles({ [`ui/${hash}`]: 5 }), { keys }, answers);
    expect(text).toMatch(/^ui: anna@example.com +2 +5 /m);
  });

  it('says that no key has a budget, and why usage cannot be read', async () => {
    expect(await show({}, {}, { keys: ['phone'] })).toContain('No relay key has a budget');
    await expect(show({}, {})).rejects.toMatchObject({
      code: 'STATE_INVALID',
      message: 'cannot read /var/lib/landfall/relay-usage: its folder does not exist',
    });
  });
});
