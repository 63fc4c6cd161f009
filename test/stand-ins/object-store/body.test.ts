import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { bodyFault } from './body.ts';

const now = Date.UTC(2026, 0, 2, 3, 4, 5);
const body = Buffer.from('content');
const [md5, other] = ['content', 'other'].map((text) =>
  createHash('md5').update(text).digest('base64'),
);
const sha256 = createHash('sha256').update(body).digest('hex');
const unsigned = { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' };
const signed = { 'x-amz-content-sha256': sha256 };

function faultOf(headers: Record<string, string | undefined>, isSecure = true) {
  const common = { authorization: 'AWS4-HMAC-SHA256 …', 'x-amz-date': '20260102T030405Z' };
  const request = { method: 'PUT', target: '/bucket/key', headers: { ...common, ...headers } };
  return bodyFault(request, body, isSecure, now)?.code;
}

describe('the check of a body by the stand-in for an object store', () => {
  it('accepts a body with its digest', () => {
    expect(faultOf(signed, false)).toBeUndefined();
    expect(faultOf({ ...unsigned, 'content-md5': md5 })).toBeUndefined();
  });

  it.each([
    ['another SHA-256', { 'x-amz-content-sha256': sha256.replace(/^./, 'x') }, 'XAmzContent'],
    ['no SHA-256', {}, 'XAmzContentSHA256Mismatch'],
    ['another MD5', { ...signed, 'content-md5': other }, 'BadDigest'],
    ['an MD5 in hex', { ...signed, 'content-md5': '0'.repeat(32) }, 'InvalidDigest'],
    ['no digest at all', unsigned, 'InvalidRequest'],
    ['chunks', { 'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD' }, 'NotImplemented'],
    ['a clock that is fast', { ...signed, 'x-amz-date': '20260102T032005Z' }, 'RequestTime'],
    ['no date', { ...signed, 'x-amz-date': undefined }, 'RequestTimeTooSkewed'],
  ])('rejects one with %s', (_, headers, code) => {
    expect(faultOf(headers)).toMatch(new RegExp(`^${code}`));
  });

  it('rejects one that neither TLS nor the signature protects', () => {
    expect(faultOf({ ...unsigned, 'content-md5': md5 }, false)).toBe('InvalidRequest');
  });
});
