import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { digestOf, hexOf } from '#contract/trust/digest.ts';
import {
  ReleaseBlobs,
  startLoopbackRegistry,
} from '../../../../appliance/stages/images/loopback-registry.ts';

const layer = Buffer.alloc(100_000, 'layer');
const large = Buffer.alloc(30_000_000, 'large');
const mediaType = 'application/vnd.docker.distribution.manifest.v2+json';
const manifest = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType }));
const untyped = Buffer.from(JSON.stringify({ schemaVersion: 2 }));
const unnamed = Buffer.from('exists, but is not in the release');

let folder: string;
let registry: Awaited<ReturnType<typeof startLoopbackRegistry>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-loopback-'));
  await mkdir(join(folder, 'blobs/sha256'), { recursive: true });
  for (const bytes of [layer, large, manifest, untyped, unnamed]) {
    await writeFile(join(folder, pathOf(bytes)), bytes);
  }
  const files = [layer, large, manifest, untyped].map((bytes) => ({
    path: pathOf(bytes),
    size: bytes.length,
    sha256: hexOf(digestOf(bytes)),
    offset: 0,
    executable: false,
  }));
  registry = await startLoopbackRegistry(new ReleaseBlobs({ files }, folder));
});
afterAll(async () => {
  await registry.close();
  await rm(folder, { recursive: true });
});

const pathOf = (bytes: Buffer) => `blobs/sha256/${hexOf(digestOf(bytes))}`;

async function ask(path: string, method = 'GET') {
  const [host, port] = registry.host.split(':');
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    request({ host, port, path, method }, resolve).once('error', reject).end();
  });
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

describe('the loopback registry', () => {
  it('listens on loopback only', () => {
    expect(registry.host).toMatch(/^127\.0\.0\.1:\d+$/);
  });

  it('identifies itself as a registry', async () => {
    expect(await ask('/v2/')).toMatchObject({ status: 200 });
  });

  it('serves a whole layer', async () => {
    const { status, body, headers } = await ask(`/v2/landfall/ui/blobs/${digestOf(layer)}`);
    expect({ status, same: body === layer.toString() }).toEqual({ status: 200, same: true });
    expect(headers['content-length']).toBe(`${layer.length}`);
  });

  it('serves other clients after one disconnects', async () => {
    const path = `/v2/landfall/ui/blobs/${digestOf(large)}`;
    const [host, port] = registry.host.split(':');
    await new Promise<void>((resolve) => {
      const asked = request({ host, port, path }, (response) => {
        response.once('data', () => asked.destroy());
        response.once('close', resolve);
        response.on('error', () => {});
      });
      asked.end();
    });
    expect((await ask(`/v2/landfall/ui/blobs/${digestOf(layer)}`)).body.length).toBe(layer.length);
  });

  it('serves a manifest with its media type', async () => {
    const { headers } = await ask(`/v2/landfall/ui/manifests/${digestOf(manifest)}`);
    expect(headers).toMatchObject({
      'content-type': mediaType,
      'docker-content-digest': digestOf(manifest),
    });
  });

  it('serves a manifest without a media type as OCI', async () => {
    const { headers } = await ask(`/v2/landfall/ui/manifests/${digestOf(untyped)}`);
    expect(headers['content-type']).toBe('application/vnd.oci.image.manifest.v1+json');
  });

  it('responds to HEAD without a body', async () => {
    const { status, body } = await ask(`/v2/landfall/ui/blobs/${digestOf(layer)}`, 'HEAD');
    expect({ status, body }).toEqual({ status: 200, body: '' });
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('rejects %s', async (method) => {
    expect(await ask('/v2/landfall/ui/blobs/uploads/', method)).toMatchObject({ status: 405 });
  });

  it.each([
    ['a tag', () => '/v2/landfall/ui/manifests/latest'],
    ['the list of repositories', () => '/v2/_catalog'],
    [
      'a blob that is not in the manifest of the release',
      () => `/v2/landfall/ui/blobs/${digestOf(unnamed)}`,
    ],
    ['a path outside of the folder', () => '/v2/landfall/ui/blobs/sha256:../../../../etc/passwd'],
    [
      'an encoded path outside of the folder',
      () => '/v2/x/blobs/sha256:%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    ],
    ['a file beside the blobs', () => '/release.json'],
  ])('does not serve %s', async (_, path) => {
    expect(await ask(path())).toMatchObject({ status: 404 });
  });
});
