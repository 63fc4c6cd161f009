import { afterEach, expect, it } from 'vitest';
import { setLanguage } from '#contract/text/language.ts';
import { nextAfter } from '../../../../appliance/commands/site/next-commands.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

afterEach(() => setLanguage('en'));

const qwen = { qwen: { base_url: 'https://qwen.example.com/v1' } };

async function linesAfter(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  secrets: Record<string, string> = {},
) {
  const host = TemporaryHost.with(secrets);
  const siteOf = (site: Readonly<Record<string, unknown>>) => contextFor(host, { site }).site;
  const text = await nextAfter(host, siteOf(before), siteOf(after));
  return text?.split('\n').map((line) => line.trim().replace(/ {2,}/, ' | '));
}

it('names the key of a new provider, until it is set', async () => {
  expect(await linesAfter({}, { providers: qwen })).toEqual([
    'Next:',
    'sudo landfall secret set QWEN_API_KEY | set the key of a model provider',
  ]);
  const set = { 'etc/landfall/secrets/QWEN_API_KEY': 'sk-1\n' };
  expect(await linesAfter({}, { providers: qwen }, set)).toBeUndefined();
});

it('names the URL of a new alert target', async () => {
  const alerts = [{ kind: 'slack', name: 'team' }];
  expect(await linesAfter({}, { alerts })).toContain(
    'sudo landfall secret set alert-team-url | set the url of the alerts',
  );
});

it('names the key of a new relay client, and the command that prints its settings', async () => {
  const hosts = { ui: 'chat.example.com', relay: 'api.example.com' };
  const before = { hosts, relay: { keys: ['laptop'] }, providers: qwen };
  const secrets = { 'etc/landfall/secrets/QWEN_API_KEY': 'sk-1\n' };
  const after = { ...before, relay: { keys: ['laptop', 'phone'] } };
  expect(await linesAfter(before, after, secrets)).toEqual([
    'Next:',
    'sudo landfall credentials | the relay key of phone',
    'sudo landfall relay client <client> --key phone | what to paste into a client, such as codex',
  ]);
});

it('names the certificate of a new domain, with all fields that it needs', async () => {
  const hosts = { ui: 'chat.example.com' };
  expect(await linesAfter({}, { hosts })).toEqual([
    'Next:',
    'landfall report | the DNS records of chat.example.com',
    expect.stringMatching(
      /^sudo landfall site set tls\.mode acme tls\.accept_terms true.* \| a certificate/,
    ),
  ]);
});

it('says nothing after a change that needs nothing, and speaks Chinese', async () => {
  expect(await linesAfter({}, { timezone: 'Asia/Shanghai' })).toBeUndefined();
  setLanguage('zh');
  expect((await linesAfter({}, { providers: qwen }))?.[0]).toBe('下一步：');
});
