import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  otherThan,
  renderFilter,
} from '../../../../../../appliance/stages/stack/components/tinyproxy/filter.ts';
import { stackInput } from '../../stack-input.ts';

/** Returns whether a URL is allowed. Matches like tinyproxy: extended, case-insensitive. */
function passes(site: Record<string, unknown>, url: string): boolean {
  const lines = renderFilter(stackInput(site).site).trim().split('\n');
  const patterns = lines.filter((line) => !line.startsWith('#'));
  return patterns.some((pattern) => new RegExp(pattern, 'i').test(url));
}

/** Returns a host in every format that tinyproxy matches: with CONNECT and other methods. */
const waysTo = (host: string) => [
  host,
  `${host}:443`,
  `http://${host}`,
  `HTTP://${host}/path?x=y:22/`,
  `http://${host}:80/`,
];
const expectOpen = (site: object, host: string) =>
  expect(waysTo(host).filter((url) => !passes({ ...site }, url))).toEqual([]);
const expectClosed = (site: object, host: string) =>
  expect(waysTo(host).filter((url) => passes({ ...site }, url))).toEqual([]);

const only = { tinyproxy: { domains: ['api.example.com', '*.example.org'] } };
const any = { tinyproxy: { domains: 'any' } };

describe('a list of allowed domains', () => {
  it.each(['api.example.com', 'API.example.com', 'example.org', 'a.b.example.org'])(
    'allows %s',
    (host) => expectOpen(only, host),
  );

  it.each([
    'example.com',
    'x.api.example.com',
    'api.example.com.evil.net',
    'evil-example.org',
    'apixexample.com',
    '169.254.169.254',
    'engine',
    '[::1]',
  ])('denies %s', (host) => expectClosed(only, host));

  it('allows the providers of the site', () => {
    const site = { ...only, providers: { x: { base_url: 'https://llm.example.net/v1' } } };
    expectOpen(site, 'llm.example.net');
  });

  it('does not allow a provider with an address', () => {
    const site = { ...only, providers: { x: { base_url: 'http://10.0.0.5:8000/v1' } } };
    expectClosed(site, '10.0.0.5');
  });

  it.each(['api.openai.com', 'huggingface.co', 'registry.ollama.ai'])(
    'allows %s by default',
    (host) => expectOpen({}, host),
  );

  it('denies addresses in any notation', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expectClosed({}, address);
        expectClosed(any, address);
      }),
    );
  });
});

describe.each([
  ['of a list', only],
  ['of any domain', any],
])('a URL %s', (_what, site) => {
  it.each(['22', '25', '8443', '0', '', '443x', '4430', '0443', '-443', '80:443'])(
    'denies the port %j',
    (port) => {
      expect(passes(site, `api.example.com:${port}`)).toBe(false);
      expect(passes(site, `http://api.example.com:${port}`)).toBe(false);
      expect(passes(site, `http://api.example.com:${port}/`)).toBe(false);
    },
  );

  it.each([
    'http://api.example.com@169.254.169.254/',
    'http://api.example.com:80@relay/',
    'http://api.example.com?@relay/',
    'http://api.example.com#@relay/',
    'http://api.example.com\\@relay/',
    'http:// api.example.com/',
    'http:/api.example.com/',
    'ftp://api.example.com/',
    'https://api.example.com/',
    'relay://api.example.com/',
    'http://relay/api.example.com',
    'http://relay/http://api.example.com/',
    'relay/api.example.com:443',
    'http://api%2eexample.com/',
    'http://[::1]/api.example.com',
    'http://api.example.com,relay/',
  ])('rejects a URL as tinyproxy parses it: %s', (url) => {
    expect(passes(site, url)).toBe(false);
  });
});

describe.each([
  ['of a list', { tinyproxy: { domains: [`*.${'a.'.repeat(120)}example.com`] } }],
  ['of any domain', any],
])('a filter %s', (_what, site) => {
  it('writes filter lines that tinyproxy does not truncate', () => {
    const lines = renderFilter(stackInput(site).site).split('\n');
    for (const line of lines) expect(line.length).toBeLessThan(511);
    for (const line of lines.filter((each) => !each.startsWith('#'))) {
      expect(line).not.toMatch(/[\s#]/);
    }
  });
});

describe('any domain', () => {
  it.each([
    '169.254.169.254',
    '2852039166',
    '0xa9fea9fe',
    '0xA9.0xfe.0xa9.0xfe',
    '0251.0376.0251.0376',
    '169.254.169.254.',
    '127.1',
    '10.0.0.1',
    '[fd00:ec2::254]',
    'fd00:ec2::254',
    'localhost',
    'localhost.',
    'engine',
    'relay.',
    'RELAY.',
    'relay..',
    '.relay',
    'relay.landfall_outside',
    'landfall-relay.landfall_outside.',
    'x.y_z',
    'metadata.google.internal',
    'metadata.google.internal.',
    'printer.local',
    'printer.LOCAL',
    'host.docker.internal',
    'router.lan',
    '1.0.0.10.in-addr.arpa',
    'a..example.com',
    'example.c0m',
    'ｅxample.com',
  ])('denies %s', (host) => expectClosed(any, host));

  it.each([
    'example.com',
    'api.openai.com',
    'x0x.example.org',
    '1password.com',
    'localhost.dev',
    'my_bucket.s3.amazonaws.com',
    'example.com.',
    'bahn.land',
    'example.homes',
    'example.xn--fiqs8s',
    'local.example.com',
  ])('allows %s', (host) => expectOpen(any, host));
});

const word = fc.stringMatching(/^[a-d]{1,4}$/);

describe('a pattern for other words', () => {
  it('matches every word except those', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), word, (words, asked) => {
        const pattern = new RegExp(`^(?:${otherThan(words).join('|')})$`);
        for (const each of [...words, asked]) {
          expect(pattern.test(each)).toBe(!words.includes(each));
        }
      }),
    );
  });

  it('matches letters only, and no empty word', () => {
    const pattern = new RegExp(`^(?:${otherThan(['lan', 'local']).join('|')})$`);
    for (const text of ['', 'l4n', 'la-n', 'la.', '7', 'lan', 'local']) {
      expect(pattern.test(text), text).toBe(false);
    }
    for (const text of ['l', 'la', 'land', 'loca', 'locals', 'com']) {
      expect(pattern.test(text), text).toBe(true);
    }
  });
});
