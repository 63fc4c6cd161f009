import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import { openRelay } from '../../../appliance/relay/open-relay.ts';
import { readConfig } from '../../../appliance/relay/read-config.ts';

const key = { name: 'me', sha256: sha256Hex('x') };
const openai = { base_url: 'https://api.openai.com/v1' };

/** What is said of settings that cannot be right. */
function problemsOf(settings: unknown): string[] {
  try {
    readConfig(JSON.stringify(settings), 'relay.json');
    return [];
  } catch (error) {
    if (!(error instanceof LandfallError)) throw error;
    expect(error.code).toBe('CONFIG_INVALID');
    return error.problems.map(({ message }) => message);
  }
}

describe('the settings of a relay', () => {
  it('may be empty: then it serves nobody', () => {
    expect(readConfig('{}', 'x')).toMatchObject({
      listen: { host: '0.0.0.0', port: 8080 },
      providers: {},
      keys: [],
      route: { mode: 'direct' },
      timeouts: { connect: 15, first_byte: 600, idle: 300, client: 120 },
      concurrency: 64,
    });
  });

  it('give every key its limits', () => {
    const { keys } = readConfig(
      JSON.stringify({ keys: [{ ...key, limits: { concurrency: 2 } }] }),
      'x',
    );
    expect(keys[0]?.limits).toEqual({
      requests_per_minute: 240,
      concurrency: 2,
      body_bytes: 33_554_432,
    });
  });

  it.each([
    ['a key in the clear', { keys: [{ name: 'me', key: 'secret' }] }, /keys\.0/],
    [
      'a provider key in the clear',
      { providers: { openai: { ...openai, key: 'sk-1' } } },
      /openai/,
    ],
    [
      'a key in two places',
      { providers: { openai: { ...openai, key_file: 'a', key_env: 'A' } } },
      /only one of key_file and key_env/,
    ],
    ['a hash in capitals', { keys: [{ ...key, sha256: key.sha256.toUpperCase() }] }, /sha256/],
    ['a name twice', { keys: [key, { ...key, sha256: sha256Hex('y') }] }, /keys\.1/],
    ['a key twice', { keys: [key, { ...key, name: 'you' }] }, /keys\.1/],
    ['an unknown provider of a key', { keys: [{ ...key, providers: ['other'] }] }, /unknown/],
    ['an unknown default', { default_provider: 'other' }, /default_provider/],
    ['a default from the prototype', { default_provider: 'constructor' }, /default_provider/],
    [
      'an address with a password',
      { providers: { x: { base_url: 'https://a:b@x.example/v1' } } },
      /base_url/,
    ],
    [
      'an address with a query',
      { providers: { x: { base_url: 'https://x.example/v1?key=1' } } },
      /base_url/,
    ],
    ['an address of another kind', { providers: { x: { base_url: 'file:///etc' } } }, /base_url/],
    ['a name that is no path', { providers: { 'A/b': openai } }, /providers/],
    ['no limit at all', { keys: [{ ...key, limits: { concurrency: 0 } }] }, /concurrency/],
    ['a route that nobody knows', { route: { mode: 'vpn' } }, /route/],
    ['an unknown field', { provider: {} }, /provider/],
  ])('are refused for %s', (_what, settings, message) => {
    expect(problemsOf(settings).join('\n')).toMatch(message);
  });

  it('are refused for everything that is wrong, at once', () => {
    expect(problemsOf({ listen: { port: -1 }, keys: [{}], colour: 'red' }).length).toBeGreaterThan(
      2,
    );
  });

  it('are not quoted when they are no JSON', () => {
    const text = '{"proxy": "http://me:password@proxy"';
    expect(() => readConfig(text, 'relay.json')).toThrow(
      expect.objectContaining({ code: 'CONFIG_SYNTAX', message: 'relay.json is not valid JSON' }),
    );
  });
});

describe('a relay', () => {
  const open = (keyText: string | undefined) =>
    openRelay(
      readConfig(
        JSON.stringify({ providers: { 'my-ai': { base_url: 'https://x.example/api/' } } }),
        'x',
      ),
      {
        keyOf: (source) =>
          'variable' in source && source.variable === 'MY_AI_API_KEY' ? keyText : 'wrong',
        send: () => Promise.reject(new Error('nobody asked')),
        log: () => {},
      },
    );

  it('finds the key of a provider under its usual name', () => {
    expect(open('sk-1').providers.get('my-ai')).toEqual({
      name: 'my-ai',
      baseUrl: 'https://x.example/api',
      key: 'sk-1',
    });
  });

  it.each([
    ['a line break at its end', 'sk-1\r\n', 'sk-1'],
    ['nothing', '', undefined],
    ['blanks only', ' \n', undefined],
    ['a line break within', 'sk-1\nhost: evil', undefined],
    ['other letters than a header takes', 'sk-中', undefined],
  ])('takes a key with %s for what it is', (_what, text, expected) => {
    expect(open(text).providers.get('my-ai')?.key).toBe(expected);
  });

  it('serves its first provider by default', () => {
    expect(open('x').defaultProvider).toBe('my-ai');
  });
});
