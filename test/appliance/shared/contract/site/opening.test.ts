import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  covers,
  formatOpening,
  formatPorts,
  openingText,
  overlaps,
  parseOpening,
} from '#contract/site/opening.ts';

describe('an opening', () => {
  it.each([
    ['8443/tcp', { first: 8443, last: 8443, protocol: 'tcp' }],
    ['6000-6010/udp', { first: 6000, last: 6010, protocol: 'udp' }],
    ['6000:6010/udp', { first: 6000, last: 6010, protocol: 'udp' }],
    ['65535/tcp', { first: 65535, last: 65535, protocol: 'tcp' }],
  ])('parses an opening from %s', (text, opening) => {
    expect(parseOpening(text)).toEqual(opening);
    expect(openingText.safeParse(text).success).toBe(true);
  });

  it.each([
    ['without a protocol', '8443'],
    ['with another protocol', '8443/sctp'],
    ['zero', '0/tcp'],
    ['above the maximum port', '65536/tcp'],
    ['a reversed range', '6010-6000/tcp'],
    ['an octal number', '0443/tcp'],
    ['a second line', '443/tcp\n22/tcp'],
    ['an nft statement', '443/tcp accept; add rule'],
    ['empty', ''],
  ])('cannot be %s', (_what, text) => {
    expect(parseOpening(text)).toBeUndefined();
    expect(openingText.safeParse(text).success).toBe(false);
  });

  it('formats an opening in one canonical form, which it parses back', () => {
    fc.assert(
      fc.property(anyOpening, (opening) => {
        expect(parseOpening(formatOpening(opening))).toEqual(opening);
      }),
    );
  });

  it('parses an opening only from digits, a dash or colon, and a protocol', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), (text) => {
        fc.pre(!/^\d{1,5}(?:[-:]\d{1,5})?\/(?:tcp|udp)$/.test(text));
        expect(parseOpening(text)).toBeUndefined();
      }),
    );
  });
});

describe('one opening covers another', () => {
  const cover = (outer: string, inner: string) => {
    const [one, other] = [parseOpening(outer), parseOpening(inner)];
    return one !== undefined && other !== undefined && covers(one, other);
  };

  it.each([
    ['22/tcp', '22/tcp', true],
    ['20-30/tcp', '22/tcp', true],
    ['22/tcp', '20-30/tcp', false],
    ['20-30/udp', '22/tcp', false],
    ['20-30/tcp', '25-31/tcp', false],
  ])('%s over %s: %s', (outer, inner, expected) => {
    expect(cover(outer, inner)).toBe(expected);
  });
});

describe('an opening with a source', () => {
  const opening = { first: 11443, last: 11443, protocol: 'tcp' } as const;
  const from = '203.0.113.20';

  it('formats an opening with its source, which is no opening of a site', () => {
    expect(formatOpening({ ...opening, from })).toBe('11443/tcp from 203.0.113.20');
    expect(formatPorts({ ...opening, from })).toBe('11443/tcp');
    expect(openingText.safeParse('11443/tcp from 203.0.113.20').success).toBe(false);
  });

  it.each([
    [undefined, '10.0.0.1', true],
    ['10.0.0.1', undefined, false],
    ['10.0.0.1', '10.0.0.1', true],
    ['10.0.0.0/8', '10.0.0.1', true],
    ['10.0.0.0/8', '10.1.0.0/16', true],
    ['10.1.0.0/16', '10.0.0.0/8', false],
    ['10.0.0.1', '10.0.0.2', false],
    ['2001:db8::/32', '2001:db8::20', true],
    ['2001:db8::20', '2001:db8::/32', false],
    ['10.0.0.0/8', '::ffff:a00:1', false],
  ])('covers sources: %s over %s is %s', (outer, inner, expected) => {
    const withSource = (source?: string) =>
      source === undefined ? opening : { ...opening, from: source };
    expect(covers(withSource(outer), withSource(inner))).toBe(expected);
  });

  it('overlaps another one by ports, whatever the source', () => {
    expect(overlaps({ ...opening, from }, { ...opening, first: 11000 })).toBe(true);
    expect(overlaps({ ...opening, from }, { ...opening, protocol: 'udp' })).toBe(false);
  });
});

const port = fc.integer({ min: 1, max: 65535 });
const anyOpening = fc
  .tuple(port, port, fc.constantFrom('tcp' as const, 'udp' as const))
  .map(([a, b, protocol]) => ({ first: Math.min(a, b), last: Math.max(a, b), protocol }));
