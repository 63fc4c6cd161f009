import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  spellingsOf,
  withoutAccount,
  withoutSecrets,
} from '../../../../appliance/relay/redact/redaction.ts';

const key = 'sk-the-provider-key-of-the-owner';
const other = '0f3c9a7e51b24d68.AbCdEfGhIjKl/+';

describe('an error message', () => {
  it.each([
    [`bad key ${key}.`, 'bad key ***.'],
    ['Incorrect API key: sk-proj-****************abcd', 'Incorrect API key: ***'],
    ['limit reached in organization org-Ab12Cd34Ef', 'limit reached in organization ***'],
    ['Project proj-0123456789 has no access', 'Project *** has no access'],
    ['Invalid key gsk_a1B2c3D4e5F6', 'Invalid key ***'],
    ['Incorrect API key provided: xai-a1***z9', 'Incorrect API key provided: ***'],
    ['key xai-0123456789abcdef expired', 'key *** expired'],
    ['key pplx-0123456789abcdef expired', 'key *** expired'],
    ['token hf_AbCdEfGhIjKl is invalid', 'token *** is invalid'],
    ['csk-0123456789, r8_0123456789, nvapi-0123456789', '***, ***, ***'],
    ['API key AIzaSyA0123456789 not valid', 'API key *** not valid'],
    ['Your api key: ****1a2b is invalid', 'Your api key: *** is invalid'],
    ['key abcdef•••••••wxyz', 'key ***'],
  ])('redacts an error message: %s', (said, plain) => {
    expect(withoutAccount(said, key)).toBe(plain);
  });

  it.each([
    ['key 0f3c…GhIj', 'key ***'],
    ['key 0f3c9a...IjKl', 'key ***'],
    ['key ...l/+', 'key ...l/+'],
    ['key ends in ...Kl/+', 'key ends in ***'],
    [String.raw`key 0f3c\u2026GhIj`, 'key ***'],
    [String.raw`key 0f3c9a7e\u2022\u2022\u2022\u2022IjKl`, 'key ***'],
    [String.raw`key 0f3c9a7e51b24d68.AbCdEfGhIjKl/\u002B`, 'key ***'],
    [String.raw`key 0f3c9a7e51b24d68.AbCdEfGhIjKl/\u002b`, 'key ***'],
    [
      `see https://x.example/?key=${encodeURIComponent(other)}&x`,
      'see https://x.example/?key=***&x',
    ],
    [`{"key":"${other.replace('/', '\\/')}"}`, '{"key":"***"}'],
  ])('redacts masks of a key in any format in an error message: %s', (said, plain) => {
    expect(withoutAccount(said, other)).toBe(plain);
  });

  it.each([
    'the risk-adjusted model',
    'Please wait... and try again',
    'maximum 4096 tokens, 2 ** 12',
    'no such model: gpt-4o-mini-2024-07-18',
    'a-proj-x',
  ])('leaves an error message unchanged: %s', (said) => {
    expect(withoutAccount(said, key)).toBe(said);
  });

  it('redacts an error message in linear time', () => {
    for (const repeated of ['a', '.', 'a.', '. ', '…']) {
      const long = repeated.repeat(100_000);
      expect(withoutAccount(long, key)).toBe(long);
    }
  });

  it('never contains the key in any encoding', () => {
    const keys = fc.stringMatching(/^[\x21-\x7e]{8,60}$/);
    fc.assert(
      fc.property(keys, fc.string(), fc.string(), (any, before, after) => {
        for (const spelling of spellingsOf(any)) {
          expect(withoutAccount(`${before}${spelling}${after}`, any, () => '')).not.toContain(
            spelling,
          );
        }
      }),
    );
  });
});

describe('a line of a log', () => {
  const hide = withoutSecrets(['ops', 'p/ss"word', '']);
  it.each([
    ['login ops with p/ss"word', 'login ops with ***'],
    ['{"password":"p/ss\\"word"}', '{"password":"***"}'],
    ['Authorization: Bearer abc.DEF-123==', 'Authorization: Bearer ***'],
    ['GET /v1?a=1&api_key=abcdef123&b=2', 'GET /v1?a=1&api_key=***&b=2'],
    ['via http://user:pa55@proxy.example:8080/', 'via http://***@proxy.example:8080/'],
    ['cookie token=eyJhbGciOiJI.eyJzdWIiOiIx.c2ln', 'cookie token=***'],
    ['key sk-0123456789ab', 'key ***'],
    ['GET /api/tags 200 12:30:01 ::1', 'GET /api/tags 200 12:30:01 ::1'],
  ])('removes secrets and tokens only: %s', (line, plain) => {
    expect(hide(line)).toBe(plain);
  });

  it('redacts a long line in linear time', () => {
    const began = performance.now();
    hide(`${'a:'.repeat(4000)}//${'b'.repeat(4000)}${'Bearer '.repeat(500)}`);
    expect(performance.now() - began).toBeLessThan(500);
  });
});
