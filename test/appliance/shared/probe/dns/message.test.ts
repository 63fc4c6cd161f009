import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canonicalAddress,
  decodeAddresses,
  encodeQuery,
} from '../../../../../appliance/shared/probe/dns/message.ts';
import { answerQuery } from '../../../../stand-ins/dns/answer.ts';

const zone = { 'api.example.com': ['192.0.2.1', '192.0.2.2', '2001:db8::1'] };

/** Returns what a strict server answers. */
function answered(name: string, type: 'A' | 'AAAA') {
  return decodeAddresses(answerQuery(encodeQuery(name, type), zone));
}

describe('a DNS message', () => {
  it('encodes a DNS message as the bytes of RFC 8484, 4.1.1', () => {
    const query = encodeQuery('www.example.com', 'A').toString('base64url');
    expect(query).toBe('AAABAAABAAAAAAAAA3d3dwdleGFtcGxlA2NvbQAAAQAB');
  });

  it('contains the addresses of a name', () => {
    expect(answered('api.example.com', 'A')).toEqual(['192.0.2.1', '192.0.2.2']);
    expect(answered('api.example.com', 'AAAA')).toEqual(['2001:db8::1']);
  });

  it('returns an empty DNS answer for a name that does not exist', () => {
    expect(answered('other.example.com', 'A')).toEqual([]);
  });

  it('skips aliases', () => {
    const query = encodeQuery('a.test', 'A');
    const answer = answerQuery(query, { 'a.test': ['192.0.2.1'] });
    const alias = Buffer.from([0xc0, 12, 0, 5, 0, 1, 0, 0, 0, 60, 0, 2, 0xc0, 12]);
    const message = Buffer.concat([
      answer.subarray(0, query.length),
      alias,
      answer.subarray(query.length),
    ]);
    message.writeUInt16BE(2, 6);
    expect(decodeAddresses(message)).toEqual(['192.0.2.1']);
  });

  it.each([
    ['a query', encodeQuery('a.test', 'A')],
    ['an error of the server', Buffer.from('0000818200000000000000000000', 'hex')],
    ['an empty one', Buffer.alloc(0)],
    ['a truncated one', answerQuery(encodeQuery('api.example.com', 'A'), zone).subarray(0, -1)],
    ['one with more records than bytes', Buffer.from('00008180ffffffff00000000', 'hex')],
  ])('rejects a DNS message: %s', (_what, message) => {
    expect(decodeAddresses(message)).toBeUndefined();
  });

  it('never fails otherwise, whatever the bytes are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        const message = Buffer.concat([Buffer.from('00008180', 'hex'), bytes]);
        const found = decodeAddresses(message);
        expect(found === undefined || Array.isArray(found)).toBe(true);
      }),
    );
  });
});

describe('an IPv6 address', () => {
  it('compares an IPv6 address in its shortest form', () => {
    expect(canonicalAddress('2001:0DB8:0:0::1')).toBe('2001:db8::1');
    expect(canonicalAddress('192.0.2.1')).toBe('192.0.2.1');
  });
});
