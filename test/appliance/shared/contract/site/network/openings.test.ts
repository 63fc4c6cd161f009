import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalNetwork, engineOpenings } from '#contract/site/network/openings.ts';
import { formatOpening } from '#contract/site/opening.ts';
import { isInRange } from '#platform/ip.ts';
import { CertificateAuthority } from '../../../../../faulty-server/certificates.ts';

const nodeWith = (...clients: string[]) => ({
  engine_node: { client_ca: new CertificateAuthority('first').cert, clients, slots: 1 },
});

describe('the sources of openings', () => {
  // The second form is that of ufw 0.36.2, except for the last two.
  it.each([
    ['203.0.113.20', '203.0.113.20'],
    ['192.0.2.7/32', '192.0.2.7'],
    ['10.0.0.5/8', '10.0.0.0/8'],
    ['172.16.1.0/12', '172.16.0.0/12'],
    ['192.0.2.255/25', '192.0.2.128/25'],
    ['2001:DB8:0:0::0020', '2001:db8::20'],
    ['2001:db8::1/128', '2001:db8::1'],
    ['fc00::/7', 'fc00::/7'],
    ['::', '::'],
    ['2001:db8:5:6:7:8:9:a/64', '2001:db8:5:6::/64'],
    ['::ffff:1.2.3.4/120', '::ffff:102:300/120'],
  ])('writes %s as %s', (text, canonical) => {
    expect(canonicalNetwork(text)).toBe(canonical);
  });

  it('writes the first address of a network, in a form that stays the same', () => {
    const v4 = fc.tuple(fc.ipV4(), fc.integer({ min: 8, max: 32 }));
    const v6 = fc.tuple(fc.ipV6(), fc.integer({ min: 16, max: 128 }));
    fc.assert(
      fc.property(fc.oneof(v4, v6), ([address, bits]) => {
        const canonical = canonicalNetwork(`${address}/${bits}`);
        expect(canonicalNetwork(canonical)).toBe(canonical);
        const [first = ''] = canonical.split('/');
        expect(isInRange(address, first, bits)).toBe(true);
      }),
    );
  });

  it('opens the port of an engine node for each client', () => {
    const openings = engineOpenings(nodeWith('203.0.113.20', '2001:DB8::20/128'));
    expect(openings.map(formatOpening)).toEqual([
      '11443/tcp from 203.0.113.20',
      '11443/tcp from 2001:db8::20',
    ]);
    expect(engineOpenings({ engine_node: undefined })).toEqual([]);
  });
});
