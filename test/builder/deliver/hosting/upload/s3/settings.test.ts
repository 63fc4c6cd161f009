import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { s3Settings } from '../../../../../../builder/deliver/hosting/upload/s3/settings.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'landfall-aws-'));
  await mkdir(join(home, '.aws'));
});
afterEach(() => rm(home, { recursive: true }));

const folder = { type: 's3', bucket: 'releases', prefix: 'a' } as const;
const write = (name: string, text: string) => writeFile(join(home, '.aws', name), text);
const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };

describe('s3Settings', () => {
  it('uses the variables of AWS', async () => {
    const env = { HOME: home, ...keys, AWS_SESSION_TOKEN: 'token', AWS_REGION: 'eu-west-1' };
    expect(await s3Settings(folder, {}, env)).toMatchObject({
      endpoint: 'https://s3.eu-west-1.amazonaws.com',
      ...{ accessKeyId: 'id', secretAccessKey: 'secret', sessionToken: 'token' },
      isVirtualHost: false,
    });
  });

  it('uses the profile of the files, with a different heading in each', async () => {
    await write(
      'config',
      '[default]\nregion = a\n[profile mine]\nregion=b\nendpoint_url = https://s3.test\n',
    );
    await write(
      'credentials',
      '[default]\naws_access_key_id=x\n[mine]\n# comment\naws_access_key_id = id=\naws_secret_access_key = se/cret+=\n',
    );
    expect(await s3Settings(folder, {}, { HOME: home, AWS_PROFILE: 'mine' })).toMatchObject({
      ...{ region: 'b', accessKeyId: 'id=', secretAccessKey: 'se/cret+=', sessionToken: undefined },
      endpoint: 'https://s3.test',
    });
  });

  it('does not mix keys of the environment with those of a file', async () => {
    await write(
      'credentials',
      '[default]\naws_access_key_id=f\naws_secret_access_key=g\naws_session_token=h\n',
    );
    expect(await s3Settings(folder, {}, { HOME: home, ...keys })).toMatchObject({
      ...{ accessKeyId: 'id', sessionToken: undefined },
    });
    expect(await s3Settings(folder, {}, { HOME: home, AWS_ACCESS_KEY_ID: 'id' })).toMatchObject({
      ...{ accessKeyId: 'f', secretAccessKey: 'g', sessionToken: 'h' },
    });
  });

  it('prefers options', async () => {
    const env = { HOME: home, ...keys, AWS_REGION: 'x', AWS_ENDPOINT_URL_S3: 'https://other.test' };
    const flags = { endpoint: 'http://s3.test:9000', region: 'y', virtualHost: true };
    expect(await s3Settings(folder, flags, env)).toMatchObject({
      endpoint: flags.endpoint,
      region: 'y',
      isVirtualHost: true,
    });
  });

  it('takes region and addressing from the endpoint of a known cloud, not from the environment', async () => {
    const env = { HOME: home, ...keys, AWS_REGION: 'us-east-1' };
    const flags = { endpoint: 'https://releases.cos.ap-guangzhou.myqcloud.com' };
    expect(await s3Settings(folder, flags, env)).toMatchObject({
      endpoint: 'https://cos.ap-guangzhou.myqcloud.com',
      region: 'ap-guangzhou',
      isVirtualHost: true,
    });
  });

  it.each([
    ['of another bucket', folder, { endpoint: 'https://other.cos.ap-guangzhou.myqcloud.com' }],
    ['of an address', folder, { endpoint: 'http://127.0.0.1:9000', virtualHost: true }],
    [
      'beside that of --to',
      { ...folder, endpoint: 'https://a.test' },
      { endpoint: 'https://b.test' },
    ],
  ])('rejects an endpoint %s', async (_, target, flags) => {
    await expect(s3Settings(target, flags, { HOME: home, ...keys })).rejects.toMatchObject({
      code: 'USAGE',
    });
  });

  it('rejects missing keys', async () => {
    await expect(s3Settings(folder, {}, { HOME: home })).rejects.toMatchObject({ code: 'USAGE' });
  });

  it.each(['s3.test', 'ftp://s3.test', 'https://me:password@s3.test', 'https://s3.test/?x=1'])(
    'rejects the endpoint %s without repeating it',
    async (endpoint) => {
      const error = await s3Settings(folder, { endpoint }, { HOME: home, ...keys }).catch(
        (e: unknown) => e,
      );
      expect(error).toMatchObject({ code: 'USAGE' });
      expect(String(error)).not.toContain('password');
    },
  );
});
