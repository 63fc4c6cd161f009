import { describe, expect, it } from 'vitest';
import { signatureFault } from './signature.ts';

/** The example "GET Object" of the documentation of Signature Version 4. */
const key = {
  id: 'AKIAIOSFODNN7EXAMPLE',
  secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
};
const request = {
  method: 'GET',
  target: '/test.txt',
  headers: {
    host: 'examplebucket.s3.amazonaws.com',
    range: 'bytes=0-9',
    'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'x-amz-date': '20130524T000000Z',
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  },
};

describe('the signature check of the stand-in for an object store', () => {
  it('accepts the example of AWS', () => {
    expect(signatureFault(request, key)).toBeUndefined();
  });

  it.each([
    ['another method', { ...request, method: 'PUT' }, key, 'SignatureDoesNotMatch'],
    ['another path', { ...request, target: '/test.tx' }, key, 'SignatureDoesNotMatch'],
    ['a parameter', { ...request, target: '/test.txt?uploads=' }, key, 'SignatureDoesNotMatch'],
    ['another secret', request, { ...key, secret: 'x' }, 'SignatureDoesNotMatch'],
    ['another key', request, { ...key, id: 'x' }, 'InvalidAccessKeyId'],
    ['another region', request, { ...key, region: 'eu' }, 'AuthorizationHeaderMalformed'],
    ['no signature', { ...request, headers: {} }, key, 'AccessDenied'],
    [
      'metadata that is not signed',
      { ...request, headers: { ...request.headers, 'x-amz-meta-a': '1' } },
      key,
      'AccessDenied',
    ],
  ])('rejects %s', (_, changed, used, code) => {
    expect(signatureFault(changed, used)).toBe(code);
  });
});
