import { describe, expect, it } from 'vitest';
import { siteSchema } from '#contract/site/site.ts';
import { checkStack } from '#contract/site/stack-rules.ts';

function problemsOf(site: Record<string, unknown>) {
  const min = {
    release: ['https://example.org/r/'],
    admin: { ssh_keys: ['ssh-ed25519 AAAA me@laptop'] },
  };
  return checkStack(siteSchema.parse({ ...min, ...site }));
}

describe('the ports of a site', () => {
  it('sets valid default ports for a site', () => expect(problemsOf({})).toEqual([]));

  it('may not be used twice: the error names both fields and a free port', () => {
    expect(problemsOf({ ports: { chat: 3000 } })).toEqual([
      {
        at: ['ports', 'chat'],
        message: 'ports.chat is 3000, which ports.ui already uses',
        hint: 'Use another port; 3001 is free.',
      },
    ]);
  });

  it.each([
    [22, 'SSH', 1024],
    [80, 'the gateway', 1024],
    [443, 'the gateway', 1024],
  ])('may not be %i, which %s uses', (ui, user, free) => {
    const [problem] = problemsOf({ ports: { ui } });
    expect(problem?.message).toContain(user);
    expect(problem?.hint).toContain(`${free}`);
  });

  it('suggests a free port below if all ports above are used', () => {
    const [problem] = problemsOf({ ports: { ui: 65535, chat: 65535 } });
    expect(problem?.hint).toContain('1024');
  });
});

describe('the relay keys of a site', () => {
  const providers = { openai: { base_url: 'https://api.openai.com/v1' } };

  it.each([
    { providers },
    { hosts: { relay: 'api.example.com' } },
    { components: { chat: true } },
    { relay: { local: true } },
    { variables: { PROVIDER_BASE_URL: 'https://api.openai.com/v1' } },
  ])('accepts relay keys of a site if the relay is enabled: %j', (site) => {
    const relay = { ...('relay' in site ? site.relay : {}), keys: ['phone', 'laptop'] };
    expect(problemsOf({ ...site, relay })).toEqual([]);
  });

  it('rejects relay keys of a site if the relay is not enabled', () => {
    expect(problemsOf({ relay: { keys: ['phone'] } })).toEqual([
      {
        at: ['relay', 'keys'],
        message: 'relay.keys lists phone, but the relay is not enabled',
        hint: expect.stringContaining('providers: {'),
      },
    ]);
  });

  it.each([['owner'], ['chat'], ['lobe'], ['Phone'], ['my phone'], [''], ['a', 'a']])(
    'may not be %s %s',
    (...keys) => expect(() => problemsOf({ providers, relay: { keys } })).toThrow(),
  );

  it('may have limits', () => {
    const key = {
      name: 'intern',
      providers: ['openai'],
      models: ['gpt-5-mini', 'text-embedding-*', '@cf/meta/*', '/audio/transcriptions'],
      tokens_per_day: 200_000,
      tokens_per_month: 3_000_000,
      requests_per_day: 500,
      requests_per_minute: 20,
      concurrency: 4,
      expires: '2027-03-31',
    };
    const ui = { tokens_per_day_per_user: 100_000 };
    expect(problemsOf({ providers, relay: { keys: ['phone', key], ui } })).toEqual([]);
  });

  it.each([
    { name: 'owner' },
    { tokens_per_day: 5 },
    { name: 'phone', tokens_per_day: 0 },
    { name: 'phone', tokens_per_month: 1.5 },
    { name: 'phone', expires: '2027-02-29' },
    { name: 'phone', expires: 'tomorrow' },
    { name: 'phone', models: [] },
    { name: 'phone', models: ['*'] },
    { name: 'phone', models: ['a*b'] },
    { name: 'phone', money: 5 },
  ])('rejects %j', (key) => {
    expect(() => problemsOf({ providers, relay: { keys: [key] } })).toThrow();
  });

  it('may be used by pages of origins', () => {
    const origins = ['https://chat.example.com', 'http://[::1]:8080', 'app://obsidian.md'];
    expect(problemsOf({ providers, relay: { origins } })).toEqual([]);
    expect(problemsOf({ providers, relay: { origins: ['*'] } })).toEqual([]);
  });

  it.each([
    'https://x.example/',
    'x.example',
    'https://X.example',
    'https://*.example',
    'null',
    '',
  ])('rejects the origin "%s"', (origin) => {
    expect(() => problemsOf({ providers, relay: { origins: [origin] } })).toThrow();
  });

  it('rejects a name twice, with and without limits', () => {
    const keys = ['phone', { name: 'phone', concurrency: 1 }];
    expect(() => problemsOf({ providers, relay: { keys } })).toThrow('twice');
  });

  it('rejects a key for a provider that the site does not have', () => {
    const keys = [{ name: 'phone', providers: ['openai', 'local'] }];
    expect(problemsOf({ providers, relay: { keys, local: true } })).toEqual([]);
    expect(problemsOf({ providers, relay: { keys } })).toEqual([
      {
        at: ['relay', 'keys', 0, 'providers'],
        message: 'relay.keys: the key phone has the unknown provider local',
        hint: 'Use openai.',
      },
    ]);
  });
});

describe('the proxy of a site', () => {
  it('may allow all clients with a password', () => {
    expect(problemsOf({ tinyproxy: { allow: ['0.0.0.0/0'] } })).toEqual([]);
  });

  it('may allow some clients without a password', () => {
    expect(problemsOf({ tinyproxy: { open: 'i-understand', allow: ['10.0.0.0/8'] } })).toEqual([]);
  });

  it.each([
    { tinyproxy: { open: 'i-understand', allow: ['0.0.0.0/0'] } },
    { tinyproxy: { open: 'i-understand', allow: ['::/0'] } },
    { tinyproxy: { open: 'i-understand', allow: ['0.0.0.0/1', '128.0.0.0/1'] } },
    { tinyproxy: { open: 'i-understand', allow: ['1.2.3.4/0'] } },
    { tinyproxy: { open: 'i-understand', allow: ['0::/0'] } },
    { tinyproxy: { open: 'i-understand', allow: ['::ffff:0:0/96'] } },
    { tinyproxy: { open: 'i-understand', allow: ['::ffff:102:304/97'] } },
    { tinyproxy: { open: 'i-understand', allow: ['::/64'] } },
    { tinyproxy: { open: 'i-understand', allow: ['2000::/3'] } },
    { tinyproxy: { open: 'i-understand', allow: ['fc00::/3'] } },
    { tinyproxy: { open: 'i-understand' }, variables: { TINYPROXY_ALLOW: '0.0.0.0/0' } },
  ])('may not allow all clients without a password: %o', (site) => {
    expect(problemsOf(site)).toMatchObject([{ at: ['tinyproxy', 'open'] }]);
  });
});

describe('the variables of a site', () => {
  it.each([
    [
      'HTTPS_PROXY and a route',
      {
        route: { mode: 'socks5', url: 'socks5://10.0.0.2:1' },
        variables: { HTTPS_PROXY: 'http://10.0.0.3:1' },
      },
      ['variables', 'HTTPS_PROXY'],
    ],
    [
      'a base URL for an existing provider',
      {
        providers: { provider: { base_url: 'https://a.example/v1' } },
        variables: { PROVIDER_BASE_URL: 'https://b.example/v1' },
      },
      ['variables', 'PROVIDER_BASE_URL'],
    ],
    [
      'two base URLs for one provider',
      {
        variables: {
          PROVIDER_BASE_URL: 'https://a.example/v1',
          PROVIDER_PROXY_URL: 'https://b.example/v1',
        },
      },
      ['variables', 'PROVIDER_PROXY_URL'],
    ],
    [
      'a base URL without /v1',
      { variables: { SECOND_PROVIDER_BASE_URL: 'https://a.example' } },
      ['variables', 'SECOND_PROVIDER_BASE_URL'],
    ],
  ])('rejects the variables of a site with %s', (_what, site, at) => {
    expect(problemsOf(site)).toMatchObject([{ at }]);
  });

  it('may be equal to a setting', () => {
    const base_url = 'https://a.example/v1';
    const site = {
      providers: { provider: { base_url } },
      variables: { PROVIDER_BASE_URL: base_url },
    };
    expect(problemsOf(site)).toEqual([]);
  });
});
