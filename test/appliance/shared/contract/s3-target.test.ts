import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bucketUrl, s3TargetAt, s3TargetOf } from '#contract/s3-target.ts';

describe('s3TargetOf', () => {
  it.each([
    ['cos.ap-guangzhou.myqcloud.com', 'ap-guangzhou'],
    ['cos-internal.ap-guangzhou.tencentcos.cn', 'ap-guangzhou'],
    ['oss-cn-hangzhou.aliyuncs.com', 'oss-cn-hangzhou'],
    ['oss-cn-hangzhou-internal.aliyuncs.com', 'oss-cn-hangzhou'],
    ['s3.oss-ap-southeast-1.aliyuncs.com', 'oss-ap-southeast-1'],
    ['obs.cn-north-4.myhuaweicloud.com', 'cn-north-4'],
    ['obs.eu-west-101.myhuaweicloud.eu', 'eu-west-101'],
    ['tos-s3-cn-beijing.volces.com', 'cn-beijing'],
  ])('knows the region of %s, and that the bucket belongs into the host name', (host, region) => {
    const target = {
      ...{ endpoint: `https://${host}`, bucket: 'chats-125', prefix: 'a/b' },
      ...{ region, isVirtualHost: true },
    };
    expect(s3TargetOf(`https://${host}/chats-125/a/b`)).toEqual(target);
    expect(s3TargetOf(`https://chats-125.${host}/a/b/`)).toEqual(target);
    expect(bucketUrl(target)).toBe(`https://chats-125.${host}`);
  });

  it('keeps the bucket of AWS where the URL has it', () => {
    const endpoint = 'https://s3.eu-central-1.amazonaws.com';
    const target = { endpoint, bucket: 'b-1', prefix: '', region: 'eu-central-1' };
    expect(s3TargetOf(`${endpoint}/b-1`)).toEqual({ ...target, isVirtualHost: false });
    expect(s3TargetOf('https://b-1.s3.eu-central-1.amazonaws.com/')).toEqual({
      ...target,
      isVirtualHost: true,
    });
  });

  it('takes the bucket of another store from the path, and its region from the user', () => {
    const url = 'https://bucket.s3.example.com:8443/releases/a';
    const target = {
      ...{ endpoint: 'https://bucket.s3.example.com:8443', bucket: 'releases', prefix: 'a' },
      ...{ region: undefined, isVirtualHost: false },
    };
    expect(s3TargetOf(url)).toEqual(target);
    const options = { region: 'eu', isVirtualHost: true };
    expect(s3TargetOf(url, options)).toEqual({ ...target, ...options });
  });

  it.each([
    ['https://cos.ap-guangzhou.myqcloud.com', {}],
    ['https://s3.example.com/', {}],
    ['https://s3.example.com/Upper_Case', { isVirtualHost: true }],
    ['https://192.0.2.1/bucket', { isVirtualHost: true }],
    ['https://[2001:db8::1]/bucket', { isVirtualHost: true }],
  ])('finds no bucket in %s with %j', (url, options) => {
    expect(s3TargetOf(url, options)).toBeUndefined();
  });

  it('never joins a host name of another owner to a known cloud', () => {
    const ends = ['myqcloud.com', 'aliyuncs.com', 'myhuaweicloud.com', 'amazonaws.com'];
    fc.assert(
      fc.property(fc.domain(), fc.constantFrom(...ends), (domain, end) => {
        const target = s3TargetOf(`https://cos.x.${end}.${domain}/bucket`);
        expect(target?.endpoint).toBe(`https://cos.x.${end}.${domain}`);
      }),
    );
  });
});

describe('s3TargetAt', () => {
  const folder = { bucket: 'chats-125', prefix: 'a' };

  it('accepts the endpoint of a cloud with the bucket or without it', () => {
    const endpoint = 'https://obs.cn-north-4.myhuaweicloud.com';
    const target = { ...folder, endpoint, region: 'cn-north-4', isVirtualHost: true };
    expect(s3TargetAt(`${endpoint}/`, folder)).toEqual(target);
    expect(s3TargetAt('https://chats-125.obs.cn-north-4.myhuaweicloud.com', folder)).toEqual(
      target,
    );
  });

  it('rejects the endpoint of another bucket', () => {
    const endpoint = 'https://other.obs.cn-north-4.myhuaweicloud.com';
    expect(s3TargetAt(endpoint, folder)).toBeUndefined();
  });
});
