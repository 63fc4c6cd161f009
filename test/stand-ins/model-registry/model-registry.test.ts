import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { digestOf } from '#contract/trust/digest.ts';
import { tinyModel } from '../engine/models/put-tiny-model.ts';
import { ModelRegistry, manifestType } from './model-registry.ts';

const tiny = tinyModel();
const [digest = ''] = [...tiny.blobs.keys()];
const headers = { accept: manifestType };

let registry: ModelRegistry;
beforeEach(async () => {
  registry = await ModelRegistry.start();
  registry.push('library/tiny:1b', tiny);
});
afterEach(() => registry.close());

const ask = (path: string, init: RequestInit = {}) =>
  fetch(registry.url(`/v2/library/${path}`), { headers, redirect: 'manual', ...init });

describe("the stand-in for Ollama's registry", () => {
  it('serves a manifest without a length, to clients that accept its media type', async () => {
    const answer = await ask('tiny/manifests/1b');
    expect(answer.headers.get('content-length')).toBeNull();
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(tiny.manifest);
    const other = await ask('tiny/manifests/1b', { headers: { accept: 'application/json' } });
    expect(other.status).toBe(406);
  });

  it('serves a manifest by its tag only, and returns 404 for others', async () => {
    expect((await ask('tiny/manifests/1b', { method: 'HEAD' })).status).toBe(405);
    expect((await ask(`tiny/manifests/${digestOf(tiny.manifest)}`)).status).toBe(404);
    expect((await ask('tiny/manifests/2b')).status).toBe(404);
    expect((await ask('other/manifests/1b')).status).toBe(404);
  });

  it.each(['/v2/', '/v2/_catalog', '/v2/library/tiny/tags/list'])(
    'returns 404 for %s',
    async (path) => {
      expect((await fetch(registry.url(path))).status).toBe(404);
    },
  );

  it('redirects to another host for a blob, with a signed URL', async () => {
    const answer = await ask(`tiny/blobs/${digest}`);
    expect(answer.status).toBe(307);
    const location = new URL(answer.headers.get('location') ?? '');
    expect(location.host).toBe(registry.contentHost);
    expect(Buffer.from(await (await fetch(location)).arrayBuffer())).toEqual(
      tiny.blobs.get(digest),
    );
    const part = await fetch(location, { headers: { range: 'bytes=100-' } });
    expect(part.status).toBe(206);
    const login = await fetch(location, { headers: { authorization: 'Basic eDp5' } });
    expect(login.status).toBe(400);
    location.search = '';
    expect((await fetch(location)).status).toBe(403);
  });

  it('returns the size of a blob', async () => {
    const answer = await ask(`tiny/blobs/${digest}`, { method: 'HEAD' });
    expect(Number(answer.headers.get('content-length'))).toBe(tiny.blobs.get(digest)?.length);
  });
});
