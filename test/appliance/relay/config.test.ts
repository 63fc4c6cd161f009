import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import { readConfig } from '../../../appliance/relay/config.ts';
import { formats } from '../../../appliance/relay/formats/request-format.ts';
import { openRelay } from '../../../appliance/relay/open-relay.ts';

const key = { name: 'me', sha256: sha256Hex('x') };
const openai = { base_url: 'https://api.openai.com/v1' };

/** Returns the problems of invalid settings. */
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
  it('may be empty, which allows no client', () => {
    expect(readConfig('{}', 'x')).toMatchObject({
      listen: { host: '0.0.0.0', port: 8080 },
      providers: {},
      keys: [],
      route: { mode: 'direct' },
      timeouts: { connect: 15, first_byte: 600, idle: 300, client: 120 },
      concurrency: 64,
    });
  });

  it('sets default limits for every key of a relay', () => {
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
    ['a plaintext relay key', { keys: [{ name: 'me', key: 'secret' }] }, /keys\.0/],
    ['a plaintext provider key', { providers: { openai: { ...openai, key: 'sk-1' } } }, /openai/],
    [
      'a key in a file and in a variable',
      { providers: { openai: { ...openai, key_file: 'a', key_env: 'A' } } },
      /only one of key_file and key_env/,
    ],
    ['an upper-case hash', { keys: [{ ...key, sha256: key.sha256.toUpperCase() }] }, /sha256/],
    ['a repeated name', { keys: [key, { ...key, sha256: sha256Hex('y') }] }, /keys\.1/],
    ['a repeated key', { keys: [key, { ...key, name: 'you' }] }, /keys\.1/],
    ['an unknown provider of a key', { keys: [{ ...key, providers: ['other'] }] }, /unknown/],
    ['an unknown default', { default_provider: 'other' }, /default_provider/],
    ['a default from the prototype', { default_provider: 'constructor' }, /default_provider/],
    [
      'a URL with a password',
      { providers: { x: { base_url: 'https://a:b@x.example/v1' } } },
      /base_url/,
    ],
    [
      'a URL with a query',
      { providers: { x: { base_url: 'https://x.example/v1?key=1' } } },
      /base_url/,
    ],
    ['a URL with another scheme', { providers: { x: { base_url: 'file:///etc' } } }, /base_url/],
    ['a name that is not a valid path', { providers: { 'A/b': openai } }, /providers/],
    ['a limit of zero', { keys: [{ ...key, limits: { concurrency: 0 } }] }, /concurrency/],
    ['an unknown route', { route: { mode: 'vpn' } }, /route/],
    ['an unknown field', { provider: {} }, /provider/],
  ])('rejects the settings of a relay for %s', (_what, settings, message) => {
    expect(problemsOf(settings).join('\n')).toMatch(message);
  });

  it('rejects a key with a budget, but without a folder for its usage', () => {
    const sha256 = '0'.repeat(64);
    const key = { name: 'me', sha256, budget: { tokens_per_day: 5 } };
    const read = (more: object) => readConfig(JSON.stringify({ keys: [key], ...more }), 'x');
    expect(() => read({})).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID',
        problems: [{ message: expect.stringContaining('usage_folder is not set') }],
      }),
    );
    expect(read({ usage_folder: '/tmp' }).keys[0]?.budget).toEqual({ tokens_per_day: 5 });
  });

  it('rejects the settings of a relay with all problems at once', () => {
    expect(problemsOf({ listen: { port: -1 }, keys: [{}], colour: 'red' }).length).toBeGreaterThan(
      2,
    );
  });

  it('reports a syntax error without quoting the settings of a relay', () => {
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
        send: () => Promise.reject(new Error('unexpected request')),
        log: () => {},
      },
    );

  it('reads the key of a provider from the default variable', () => {
    expect(open('sk-1').providers.get('my-ai')).toEqual({
      name: 'my-ai',
      baseUrl: 'https://x.example/api',
      key: 'sk-1',
      format: formats.openai,
      keyless: false,
      setKey: 'set MY_AI_API_KEY of the relay',
    });
  });

  it('names the command that sets a key on a server, which has its keys in files', () => {
    const settings = { base_url: 'https://x.example/v1', key_file: 'keys/my-ai' };
    const relay = openRelay(readConfig(JSON.stringify({ providers: { 'my-ai': settings } }), 'x'), {
      keyOf: () => undefined,
      send: () => Promise.reject(new Error('unexpected request')),
      log: () => {},
    });
    expect(relay.providers.get('my-ai')?.setKey).toBe(
      'run `sudo landfall secret set MY_AI_API_KEY` on the server',
    );
  });

  it.each([
    ['a trailing line break', 'sk-1\r\n', 'sk-1'],
    ['no characters', '', undefined],
    ['whitespace only', ' \n', undefined],
    ['a line break inside', 'sk-1\nhost: evil', undefined],
    ['characters that are invalid in a header', 'sk-中', undefined],
  ])('handles a key with %s', (_what, text, expected) => {
    expect(open(text).providers.get('my-ai')?.key).toBe(expected);
  });

  it('uses the first provider by default', () => {
    expect(open('x').defaultProvider).toBe('my-ai');
  });
});
