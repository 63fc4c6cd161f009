import { createHash } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ObjectStore, storeKey } from './object-store.ts';

let store: ObjectStore;
beforeEach(async () => {
  store = await ObjectStore.start({ bucket: 'bucket', exists: false });
});
afterEach(() => store[Symbol.asyncDispose]());

interface Sent {
  readonly body?: string;
  readonly headers?: Record<string, string>;
  readonly id?: string;
  readonly secret?: string;
  readonly region?: string;
}

/** Sends a signed request, as `GET /bucket/key`. */
async function send(line: string, sent: Sent = {}): Promise<Response> {
  const { body = '', headers = {}, id, secret, region } = sent;
  const [method = '', target = ''] = line.split(' ');
  const digest = createHash('sha256').update(body).digest('hex');
  const signer = new AwsV4Signer({
    ...{ method, url: `${store.endpoint}${target}`, service: 's3' },
    region: region ?? storeKey.region,
    ...{ accessKeyId: id ?? storeKey.id, secretAccessKey: secret ?? storeKey.secret },
    headers: { ...headers, 'x-amz-content-sha256': digest },
  });
  const { url, headers: signed } = await signer.sign();
  return await fetch(url, { method, headers: signed, ...(body !== '' && { body }) });
}

async function codeOf(response: Promise<Response>): Promise<string | undefined> {
  return /<Code>(\w+)<\/Code>/.exec(await (await response).text())?.[1];
}

/** Creates the bucket with an object. */
async function fill(): Promise<void> {
  expect((await send('PUT /bucket')).status).toBe(200);
  expect((await send('PUT /bucket/key', { body: '0123456789' })).status).toBe(200);
}

describe('the stand-in for an object store', () => {
  it('rejects requests before a client has created the bucket', async () => {
    expect(await codeOf(send('GET /bucket?location='))).toBe('NoSuchBucket');
    await fill();
    expect((await send('HEAD /bucket')).status).toBe(200);
    expect(await codeOf(send('PUT /bucket'))).toBe('BucketAlreadyOwnedByYou');
    expect(await codeOf(send('PUT /other'))).toBe('AccessDenied');
  });

  it('names the region of the bucket, also to a client that does not know it', async () => {
    await fill();
    const known = { region: 'us-east-1' };
    const location = await send('GET /bucket?location=', known);
    expect(await location.text()).toContain(`>${storeKey.region}</LocationConstraint>`);
    const refused = await send('GET /bucket/key', known);
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain(`<Region>${storeKey.region}</Region>`);
  });

  it.each([
    ['bytes=2-4', '234', 'bytes 2-4/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=7-99', '789', 'bytes 7-9/10'],
    ['bytes=-2', '89', 'bytes 8-9/10'],
  ])('returns the part of an object for %s', async (range, text, place) => {
    await fill();
    const response = await send('GET /bucket/key', { headers: { range } });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(place);
    expect(await response.text()).toBe(text);
  });

  it.each(['bytes=10-', 'bytes=5-4', 'bytes=0-1,3-4', 'bytes=-0', 'lines=1-2'])(
    'refuses the range %s',
    async (range) => {
      await fill();
      const response = await send('GET /bucket/key', { headers: { range } });
      expect(response.status).toBe(416);
      expect(await response.text()).toContain('<Code>InvalidRange</Code>');
    },
  );

  it('describes an object without its content', async () => {
    await fill();
    const { status, headers } = await send('HEAD /bucket/key');
    expect(status).toBe(200);
    expect(headers.get('content-length')).toBe('10');
    expect(headers.get('etag')).toMatch(/^"[0-9a-f]{32}"$/);
    expect(Date.parse(headers.get('last-modified') ?? '')).toBeGreaterThan(Date.now() - 60_000);
    expect((await send('HEAD /bucket/other')).status).toBe(404);
  });

  it('deletes an object, and one that does not exist', async () => {
    await fill();
    expect((await send('DELETE /bucket/key')).status).toBe(204);
    expect((await send('DELETE /bucket/key')).status).toBe(204);
    expect(await codeOf(send('GET /bucket/key'))).toBe('NoSuchKey');
  });

  it('rejects another key and another secret with the texts of AWS', async () => {
    await fill();
    expect(await codeOf(send('GET /bucket/key', { id: 'other' }))).toBe('InvalidAccessKeyId');
    const response = await send('GET /bucket/key', { secret: 'other' });
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('The request signature we calculated does not match');
    expect((await fetch(`${store.endpoint}/bucket/key`)).status).toBe(403);
  });

  it('refuses a request with the bucket in the path as Tencent Cloud COS does', async () => {
    await using cos = await ObjectStore.start({ bucket: 'bucket', virtualHost: 'cos.test' });
    const response = await fetch(`${cos.endpoint}/bucket/key`);
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('<Code>PathStyleDomainForbidden</Code>');
  });

  it('refuses what a test refuses, such as deletes', async () => {
    await fill();
    store.refuse = ({ method }) =>
      method === 'DELETE' ? { status: 403, code: 'AccessDenied' } : undefined;
    expect(await codeOf(send('DELETE /bucket/key'))).toBe('AccessDenied');
    expect(store.objects.has('key')).toBe(true);
  });

  it.each([
    ['GET /bucket', {}],
    ['GET /bucket?versions=', {}],
    ['GET /bucket/key?acl=', {}],
    ['POST /bucket?delete=', {}],
    ['GET /bucket/key', { 'if-match': '"1"' }],
    ['PUT /bucket/key', { 'x-amz-acl': 'public-read' }],
  ])('records %s with %o, which it does not implement', async (line, headers) => {
    await fill();
    expect(store.unknown).toEqual([]);
    expect((await send(line, { headers })).status).toBe(501);
    expect(store.unknown).toEqual([line]);
  });
});

describe('a cut of the stand-in for an object store', () => {
  it('fails every request from a number on, until it is undone', async () => {
    await fill();
    const cut = store.cut({ of: /^GET /, requests: 1 });
    expect((await send('GET /bucket/key')).status).toBe(200);
    expect((await send('HEAD /bucket/key')).status).toBe(200);
    await expect(send('GET /bucket/key')).rejects.toThrow('fetch failed');
    await cut;
    await expect(send('HEAD /bucket/key')).rejects.toThrow('fetch failed');
    store.reconnect();
    expect((await send('GET /bucket/key')).status).toBe(200);
  });

  it('stores nothing of a request that is cut within its body', async () => {
    await fill();
    const cut = store.cut({ of: /^PUT /, bytes: 100_000 });
    const body = 'x'.repeat(300_000);
    await expect(send('PUT /bucket/large', { body })).rejects.toThrow('fetch failed');
    await cut;
    expect(store.objects.has('large')).toBe(false);
  });

  it('sends the start of an object that is cut within its content', async () => {
    await fill();
    void store.cut({ bytes: 4 });
    const response = await send('GET /bucket/key');
    expect(response.headers.get('content-length')).toBe('10');
    await expect(response.text()).rejects.toThrow('terminated');
  });
});
