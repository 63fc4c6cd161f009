import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentReporter } from '../../../../../../builder/base/progress/reporter.ts';
import {
  type HashedFile,
  hashFiles,
} from '../../../../../../builder/deliver/hosting/hashed-file.ts';
import { releaseFiles } from '../../../../../../builder/deliver/hosting/release-files.ts';
import { BucketFolder } from '../../../../../../builder/deliver/hosting/upload/s3/bucket-folder.ts';
import { S3Client } from '../../../../../../builder/deliver/hosting/upload/s3/s3-client.ts';
import { ObjectStore, storeKey } from '../../../../../stand-ins/object-store/object-store.ts';
import { bundleOf, OutputFolder } from '../../release-folder.ts';

const { tar } = OutputFolder;
const key = `landfall/${tar}`;
const content = bundleOf(28_000_000);
const partCount = Math.ceil(content.length / (8 * 1024 * 1024));

let store: ObjectStore;
let output: OutputFolder;
let files: readonly HashedFile[];
beforeEach(async () => {
  store = await ObjectStore.start();
  output = await OutputFolder.create(content);
  files = await hashFiles(await releaseFiles(output.path), silentReporter);
});
afterEach(async () => {
  await store[Symbol.asyncDispose]();
  await output[Symbol.asyncDispose]();
});

interface Access {
  readonly bucket?: string;
  readonly secret?: string;
  readonly region?: string;
}

function folderOf({ bucket = 'releases', secret = storeKey.secret, region }: Access = {}) {
  const settings = {
    endpoint: store.endpoint,
    ...{ bucket, prefix: 'landfall', isVirtualHost: false },
    region: region ?? storeKey.region,
    accessKeyId: storeKey.id,
    secretAccessKey: secret,
    sessionToken: undefined,
  };
  const noDelay = { sleep: async () => {} };
  return new BucketFolder(new S3Client(settings, { env: {} }), 'landfall', noDelay);
}

function fileNamed(name: string): HashedFile {
  const file = files.find((each) => each.name === name);
  if (!file) throw new Error(`no ${name}`);
  return file;
}

async function put(name = tar, access: Access = {}): Promise<number> {
  await using folder = folderOf(access);
  const transfer = silentReporter.transfer(name, 0) as ReturnType<
    typeof silentReporter.transfer
  > & {
    done: number;
  };
  await folder.put(fileNamed(name), transfer);
  return transfer.done;
}

const partsOf = (stored: readonly string[]) => stored.filter((each) => each.includes(' part '));

describe('a folder in a bucket', () => {
  it('stores a large file in parts, with its SHA-256, and reports all bytes', async () => {
    expect(await put()).toBe(content.length);
    expect(store.objects.get(key)?.content.equals(content)).toBe(true);
    expect(store.objects.get(key)?.headers['x-amz-meta-sha256']).toBe(fileNamed(tar).sha256);
    expect(partsOf(store.stored)).toHaveLength(partCount);
    expect(store.uploads.size).toBe(0);
  });

  it('stores a small file in one request', async () => {
    await put('release.pub');
    expect(store.stored).toEqual(['PUT landfall/release.pub']);
  });

  it('finds a file in a bucket only with the same size and SHA-256', async () => {
    await using folder = folderOf();
    const file = fileNamed('release.pub');
    expect(await folder.has(file)).toBe(false);
    await put('release.pub');
    expect(await folder.has(file)).toBe(true);
    expect(await folder.has({ ...file, sha256: '0'.repeat(64) })).toBe(false);
    expect(await folder.has({ ...file, size: file.size + 1 })).toBe(false);
  });

  it('continues an interrupted upload, and keeps the parts that are complete', async () => {
    store.refuse = ({ target }) =>
      target.includes('partNumber=3') ? { status: 403, code: 'AccessDenied' } : undefined;
    await expect(put()).rejects.toMatchObject({ code: 'UPLOAD_REFUSED' });
    const before = partsOf(store.stored).length;
    expect(before).toBeGreaterThan(0);
    store.refuse = () => undefined;
    expect(await put()).toBe(content.length);
    expect(partsOf(store.stored)).toHaveLength(partCount);
    expect(store.objects.get(key)?.content.equals(content)).toBe(true);
  });

  it('sends a part again whose bytes differ, and replaces the metadata of another file', async () => {
    store.uploads.set('upload-0', {
      key,
      headers: { 'x-amz-meta-sha256': 'of another file' },
      parts: new Map([[1, { content: Buffer.from('other'), etag: '"x"', headers: {} }]]),
    });
    await put();
    expect(store.objects.get(key)?.content.equals(content)).toBe(true);
    expect(store.objects.get(key)?.headers['x-amz-meta-sha256']).toBe(fileNamed(tar).sha256);
    expect(store.uploads.size).toBe(0);
  });

  it('uploads with keys that cannot list uploads or missing objects', async () => {
    store.refuse = ({ method, target }) => {
      const isList = method === 'GET' && target.includes('uploads=');
      const isMissing = /^(?:GET|HEAD)$/.test(method) && !store.objects.has(key);
      return isList || isMissing ? { status: 403, code: 'AccessDenied' } : undefined;
    };
    await using folder = folderOf();
    expect(await folder.has(fileNamed(tar))).toBe(false);
    await put();
    expect(store.objects.has(key)).toBe(true);
  });

  it('starts over with keys that can list uploads but no parts', async () => {
    store.uploads.set('upload-0', { key, headers: {}, parts: new Map() });
    store.refuse = ({ method, target }) =>
      method === 'GET' && target.includes('uploadId=')
        ? { status: 403, code: 'AccessDenied' }
        : undefined;
    await put();
    expect(store.objects.get(key)?.content.equals(content)).toBe(true);
    expect([...store.uploads.keys()]).toEqual(['upload-0']);
  });

  it('retries a part after a temporary failure', async () => {
    let failures = 2;
    store.refuse = ({ target }) => {
      if (!target.includes('partNumber=2') || failures === 0) return undefined;
      failures -= 1;
      return { status: 503, code: 'SlowDown' };
    };
    expect(await put()).toBe(content.length);
    expect(failures).toBe(0);
  });

  it.each([
    ['another secret', { secret: 'x' }, 'SignatureDoesNotMatch', /AWS_SECRET_ACCESS_KEY/],
    ['another region', { region: 'us-east-1' }, 'AuthorizationHeaderMalformed', /--region/],
    ['a missing bucket', { bucket: 'missing' }, 'NoSuchBucket', /Create the bucket/],
  ])('rejects %s with the code of S3', async (_, access, code, hint) => {
    await expect(put(tar, access)).rejects.toMatchObject({
      code: 'UPLOAD_REFUSED',
      message: expect.stringContaining(code),
      hint: expect.stringMatching(hint),
      retriable: false,
    });
  });

  it('names the code also if only HEAD is refused', async () => {
    await using folder = folderOf({ secret: 'x' });
    await expect(folder.has(fileNamed(tar))).rejects.toMatchObject({
      message: expect.stringContaining('SignatureDoesNotMatch'),
    });
  });

  it('prints no keys of a bucket in errors', async () => {
    const error = await put(tar, { secret: 'very-secret' }).catch((reason: unknown) => reason);
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('very-secret');
  });
});
