import { describe, expect, it } from 'vitest';
import { parseUploadTarget } from '../../../../../builder/deliver/hosting/upload/upload-target.ts';

const sftp = { type: 'sftp', user: undefined, port: undefined };

describe('parseUploadTarget', () => {
  it.each([
    ['s3://my.bucket', { type: 's3', bucket: 'my.bucket', prefix: '' }],
    ['s3://bucket/', { type: 's3', bucket: 'bucket', prefix: '' }],
    ['s3://bucket/a//b/', { type: 's3', bucket: 'bucket', prefix: 'a/b' }],
    [
      'https://chats-125.cos.ap-guangzhou.myqcloud.com/a//b/',
      {
        ...{ type: 's3', bucket: 'chats-125', prefix: 'a/b' },
        endpoint: 'https://cos.ap-guangzhou.myqcloud.com',
      },
    ],
    [
      'https://s3.test:9000/bucket/a',
      { type: 's3', endpoint: 'https://s3.test:9000', bucket: 'bucket', prefix: 'a' },
    ],
    ['sftp://alias', { ...sftp, host: 'alias', path: '.' }],
    ['sftp://alias/', { ...sftp, host: 'alias', path: '/' }],
    ['sftp://alias/~/', { ...sftp, host: 'alias', path: '.' }],
    ['sftp://alias/~/www/a', { ...sftp, host: 'alias', path: 'www/a' }],
    [
      'sftp://me@host.test:2222/srv/www/',
      { type: 'sftp', user: 'me', host: 'host.test', port: 2222, path: '/srv/www' },
    ],
    ['sftp://me@[2001:db8::1]/srv', { ...sftp, user: 'me', host: '[2001:db8::1]', path: '/srv' }],
  ])('parses %s', (text, target) => {
    expect(parseUploadTarget(text)).toEqual(target);
  });

  it.each([
    ...[
      '',
      'bucket',
      'ftp://host/a',
      's3://',
      's3://Bucket',
      's3://user@bucket',
      's3://bucket:1/a',
      'https://s3.test/',
      'https://s3.test/Bucket',
      'https://me:secret@s3.test/bucket',
      'https://s3.test/bucket?x=1',
      'https://s3.test/bucket/a%20b',
    ],
    ...['sftp:///a', 'sftp://-oProxyCommand=x/a', 'sftp://-me@host/a', 'sftp://host:70000/a'],
    ...[
      'sftp://host/a b',
      'sftp://host/"',
      'sftp://host/../a',
      's3://bucket/./a',
      'sftp://host/a\nrm b',
    ],
  ])('rejects "%s"', (text) => {
    expect(() => parseUploadTarget(text)).toThrow(expect.objectContaining({ code: 'USAGE' }));
  });

  it('rejects a password without repeating it', () => {
    expect(() => parseUploadTarget('sftp://me:secret@host/a')).toThrow(
      expect.objectContaining({
        code: 'USAGE',
        message: 'invalid --to: a password is not accepted on the command line',
      }),
    );
  });
});
