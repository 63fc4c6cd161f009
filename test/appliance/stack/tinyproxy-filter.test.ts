import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderFilter } from '../../../appliance/stack/tinyproxy-filter.ts';
import { stackInput } from './stack-input.ts';

/** Which of the patterns match a host, as tinyproxy asks: extended, without regard to case. */
function matches(site: Record<string, unknown>, host: string): boolean {
  const patterns = renderFilter(stackInput(site).site).trim().split('\n');
  return patterns.some((pattern) => new RegExp(pattern, 'i').test(host));
}

describe('a list of places that are allowed', () => {
  const only = { tinyproxy: { domains: ['api.example.com', '*.example.org'] } };

  it.each(['api.example.com', 'API.example.com', 'example.org', 'a.b.example.org'])(
    'has %s in it',
    (host) => expect(matches(only, host)).toBe(true),
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
  ])('has not %s in it', (host) => expect(matches(only, host)).toBe(false));

  it('has the providers of the site in it', () => {
    const site = { ...only, providers: { x: { base_url: 'https://llm.example.net/v1' } } };
    expect(matches(site, 'llm.example.net')).toBe(true);
  });

  it('has no provider with a bare address in it', () => {
    const site = { ...only, providers: { x: { base_url: 'http://10.0.0.5:8000/v1' } } };
    expect(matches(site, '10.0.0.5')).toBe(false);
  });

  it.each(['api.openai.com', 'huggingface.co', 'registry.ollama.ai'])(
    'has %s in it when the site names none',
    (host) => expect(matches({}, host)).toBe(true),
  );

  it('has no address in it, however it is written', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(matches({}, address)).toBe(false);
      }),
    );
  });
});

describe('a list of places that are refused', () => {
  const any = { tinyproxy: { domains: 'any' } };

  it.each([
    '169.254.169.254',
    '2852039166',
    '0xa9fea9fe',
    '0xA9.0xfe.0xa9.0xfe',
    '0251.0376.0251.0376',
    '127.1',
    '10.0.0.1',
    '[fd00:ec2::254]',
    'fd00:ec2::254',
    'localhost',
    'engine',
    'metadata.google.internal',
    'printer.local',
  ])('has %s in it', (host) => expect(matches(any, host)).toBe(true));

  it.each(['example.com', 'api.openai.com', 'x0x.example.org', '1password.com', 'localhost.dev'])(
    'has not %s in it',
    (host) => expect(matches(any, host)).toBe(false),
  );
});
