import { describe, expect, it } from 'vitest';
import { signatureFault } from './signature.ts';

/** The example "fixed parameters" of Alibaba Cloud's documentation of its third signature. */
const key = { id: 'YourAccessKeyId', secret: 'YourAccessKeySecret' };
const request = {
  method: 'POST',
  target: '/?ImageId=win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd&RegionId=cn-shanghai',
  body: '',
  headers: {
    host: 'ecs.cn-shanghai.aliyuncs.com',
    'x-acs-action': 'RunInstances',
    'x-acs-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'x-acs-date': '2023-10-26T10:22:32Z',
    'x-acs-signature-nonce': '3156853299f313e23d1673dc12e1703d',
    'x-acs-version': '2014-05-26',
    authorization:
      'ACS3-HMAC-SHA256 Credential=YourAccessKeyId,SignedHeaders=host;x-acs-action;x-acs-content-sha256;x-acs-date;x-acs-signature-nonce;x-acs-version,Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0',
  },
};

describe('the signature check of the stand-in for Alibaba Cloud DNS', () => {
  it('accepts the example of Alibaba Cloud', () => {
    expect(signatureFault(request, key)).toBeUndefined();
  });

  it.each([
    ['another method', { ...request, method: 'GET' }, key, 'SignatureDoesNotMatch'],
    ['a parameter', { ...request, target: `${request.target}&a=` }, key, 'SignatureDoesNotMatch'],
    ['another body', { ...request, body: 'a=1' }, key, 'SignatureDoesNotMatch'],
    ['another secret', request, { ...key, secret: 'x' }, 'SignatureDoesNotMatch'],
    ['another key', request, { ...key, id: 'x' }, 'InvalidAccessKeyId.NotFound'],
    ['no signature', { ...request, headers: {} }, key, 'IncompleteSignature'],
    [
      'a token that is not signed',
      { ...request, headers: { ...request.headers, 'x-acs-security-token': 't' } },
      key,
      'IncompleteSignature',
    ],
  ])('rejects %s', (_, changed, used, code) => {
    expect(signatureFault(changed, used)).toBe(code);
  });
});
