import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as browserGzip from '../../../../appliance/shared/platform/browser/gzip.ts';
import * as browserIp from '../../../../appliance/shared/platform/browser/ip.ts';
import * as browserPoint from '../../../../appliance/shared/platform/browser/p256-point.ts';
import * as browserSha256 from '../../../../appliance/shared/platform/browser/sha256.ts';
import * as browserText from '../../../../appliance/shared/platform/browser/text.ts';
import * as browserVerify from '../../../../appliance/shared/platform/browser/verify-p256.ts';
import * as nodeGzip from '../../../../appliance/shared/platform/node/gzip.ts';
import * as nodeIp from '../../../../appliance/shared/platform/node/ip.ts';
import * as nodePoint from '../../../../appliance/shared/platform/node/p256-point.ts';
import * as nodeSha256 from '../../../../appliance/shared/platform/node/sha256.ts';
import * as nodeText from '../../../../appliance/shared/platform/node/text.ts';
import * as nodeVerify from '../../../../appliance/shared/platform/node/verify-p256.ts';
import { fuzzRuns } from '../../../simulator/fuzz.ts';

const node = {
  ...nodeGzip,
  ...nodeIp,
  ...nodePoint,
  ...nodeSha256,
  ...nodeText,
  ...nodeVerify,
};
const browser = {
  ...browserGzip,
  ...browserIp,
  ...browserPoint,
  ...browserSha256,
  ...browserText,
  ...browserVerify,
};

describe('the Node and browser modules of the platform', () => {
  it('exports the same functions with the same types for Node and for browsers', () => {
    const one: Omit<typeof node, 'Sha256'> = browser;
    const other: Omit<typeof browser, 'Sha256'> = node;
    expect(Object.keys(one).sort()).toEqual(Object.keys(other).sort());
  });
});

describe('SHA-256', () => {
  it('computes the same SHA-256 in Node and in browsers, at once and in chunks', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 5 }), (chunks) => {
        const all = Buffer.concat(chunks);
        const expected = Buffer.from(node.sha256(all));
        expect(Buffer.from(browser.sha256(all))).toEqual(expected);
        for (const hash of [new node.Sha256(), new browser.Sha256()]) {
          for (const chunk of chunks) hash.update(chunk);
          expect(Buffer.from(hash.digest())).toEqual(expected);
        }
      }),
      { numRuns: fuzzRuns(200) },
    );
  });

  it.each([
    ['Node', node.Sha256],
    ['browsers', browser.Sha256],
  ])('can be continued after a digest: %s', (_, Sha256) => {
    const hash = new Sha256();
    hash.update(Buffer.from('one'));
    const first = Buffer.from(hash.digest());
    expect(Buffer.from(hash.digest())).toEqual(first);
    hash.update(Buffer.from('two'));
    expect(Buffer.from(hash.digest())).toEqual(Buffer.from(node.sha256(Buffer.from('onetwo'))));
  });
});

describe('an address', () => {
  const group = fc.oneof(
    fc.constantFrom('', '0', '00', 'ffff', 'ffff0', 'g', '1.2.3.4', '::', ':', '%eth0', '256'),
    fc.nat(0xffff).map((value) => value.toString(16)),
  );
  const nearly = fc.oneof(
    fc.array(group, { minLength: 1, maxLength: 9 }).map((parts) => parts.join(':')),
    fc
      .array(fc.constantFrom('0', '00', '1', '01', '255', '256', '-1', ''), { maxLength: 5 })
      .map((parts) => parts.join('.')),
    fc.ipV4(),
    fc.ipV6(),
    fc.tuple(fc.ipV6(), fc.string({ maxLength: 4 })).map(([address, zone]) => `${address}%${zone}`),
    fc.string(),
  );

  it('detects the same IP version in Node and in browsers, also for similar texts', () => {
    fc.assert(
      fc.property(nearly, (text) => {
        expect(browser.ipVersion(text)).toBe(node.ipVersion(text));
      }),
      { numRuns: fuzzRuns(5000) },
    );
  });

  const mapped = fc.ipV4().map((address) => `::ffff:${address}`);
  const address = fc.oneof(fc.ipV4(), fc.ipV6(), mapped);
  /** An address and a similar one, so that some prefixes are equal. */
  const pair = fc.oneof(
    fc.tuple(address, address),
    address.map((one): [string, string] => [one, one]),
    fc.ipV4().map((one): [string, string] => [one, `::ffff:${one}`]),
    fc.ipV4().map((one): [string, string] => [`::ffff:${one}`, one]),
    fc
      .tuple(fc.ipV4(), fc.nat(255))
      .map(([one, end]): [string, string] => [one, one.replace(/\d+$/, String(end))]),
  );

  it('places an address in the same ranges in Node and in browsers', () => {
    let inside = 0;
    fc.assert(
      fc.property(pair, fc.nat(128), ([one, network], length) => {
        const bits = node.ipVersion(network) === 4 ? length % 33 : length;
        const expected = node.isInRange(one, network, bits);
        inside += expected ? 1 : 0;
        expect(browser.isInRange(one, network, bits)).toBe(expected);
      }),
      { numRuns: fuzzRuns(5000) },
    );
    expect(inside).toBeGreaterThan(fuzzRuns(500));
  });
});
