import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { type Hop, nextHop } from '#http/redirect.ts';

const start: Hop = {
  url: new URL('https://a.example/x'),
  headers: { Authorization: 'Bearer secret', cookie: 'a=b', range: 'bytes=1-' },
  visited: ['https://a.example/x'],
};

describe('the next hop', () => {
  it.each([200, 206, 300, 304, 305, 306, 401, 404])('does not exist after %i', (status) => {
    expect(nextHop(start, status, 'https://b.example/')).toBeUndefined();
  });

  it('resolves the next hop relative to the URL of the response', () => {
    expect(nextHop(start, 302, '../y?z#f')?.url.href).toBe('https://a.example/y?z');
  });

  it('to another scheme on the same host is another origin', () => {
    const plain: Hop = { ...start, url: new URL('http://a.example/x'), visited: [] };
    expect(nextHop(plain, 301, 'https://a.example/x')?.headers).toEqual({ range: 'bytes=1-' });
  });

  it('to a subdomain is another origin', () => {
    expect(nextHop(start, 301, 'https://cdn.a.example/')?.headers).toEqual({ range: 'bytes=1-' });
  });

  it('to the same origin keeps all headers', () => {
    expect(nextHop(start, 301, 'https://a.example:443/y')?.headers).toEqual(start.headers);
  });
});

const locations = fc.oneof(
  fc.webUrl({ validSchemes: ['https', 'http'], withQueryParameters: true }),
  fc.string(),
  fc.constantFrom('//b.example', '\\\\b.example\\x', 'https:b.example', 'HTTPS://B.EXAMPLE', '?'),
);

describe('any Location', () => {
  it('results in a safe hop or a rejection', () => {
    fc.assert(
      fc.property(locations, (location) => {
        try {
          const next = nextHop(start, 302, location);
          expect(next?.url.protocol).toBe('https:');
          const isSame = next?.url.origin === start.url.origin;
          expect('Authorization' in (next?.headers ?? {})).toBe(isSame);
          expect(next?.headers.range).toBe('bytes=1-');
        } catch (error) {
          if (!(error instanceof LandfallError)) throw error;
          expect(error.code).toBe('HTTP_REDIRECT');
        }
      }),
    );
  });

  it('ends after at most five hops', () => {
    fc.assert(
      fc.property(fc.array(locations, { minLength: 6, maxLength: 20 }), (chain) => {
        let hop: Hop | undefined = start;
        let hops = 0;
        try {
          for (const location of chain) {
            if (hop === undefined) break;
            hop = nextHop(hop, 302, location);
            hops += 1;
          }
        } catch (error) {
          if (!(error instanceof LandfallError)) throw error;
        }
        expect(hops).toBeLessThanOrEqual(5);
      }),
    );
  });
});
