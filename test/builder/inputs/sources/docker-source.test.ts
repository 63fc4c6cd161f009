import { rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Equipment, equip, refusalOf } from '../../../faulty-registry/equipment.ts';
import { makeSingle } from '../../../faulty-registry/make-image.ts';
import { convertedManifest, legacyArchive, modernArchive, tarOf } from './archives.ts';

const platforms = ['linux/amd64'] as const;
const image = makeSingle({ compression: 'none' });
const missing = JSON.stringify({ message: 'No such image' });

let tools: Equipment;
let engine: Server | undefined;
let asked: string[];
/** Docker's response to `docker save`. */
let saved: Buffer;
let answer: (request: IncomingMessage, response: ServerResponse) => void;

/** Simulates the two API calls of Docker on a socket. */
function speak({ url = '' }: IncomingMessage, response: ServerResponse): void {
  if (url.includes('/no/such')) response.writeHead(404).end(missing);
  else if (url.endsWith('/json')) response.end(JSON.stringify({ Size: saved.length }));
  else if (url.endsWith('/get')) response.end(saved);
  else response.writeHead(400).end();
}

beforeEach(async () => {
  tools = await equip();
  const socket = join(tools.folder, 'docker.sock');
  vi.stubEnv('DOCKER_HOST', `unix://${socket}`);
  asked = [];
  answer = speak;
  saved = await tarOf(modernArchive(image));
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  engine = server;
  await new Promise<void>((resolve) => server.listen(socket, resolve));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  const server = engine;
  server?.closeAllConnections();
  if (server?.listening) await new Promise((resolve) => server.close(resolve));
  await tools.close();
});

describe('an image of a Docker daemon', () => {
  it.each([
    ['of today', () => tarOf(modernArchive(image))],
    ['of old', () => tarOf(legacyArchive(image))],
  ])('from Docker %s becomes the same OCI image', async (_, archive) => {
    saved = await archive();
    const source = tools.open('docker-daemon:team/app:1');
    const { index, platforms: found } = await source.resolve(platforms);
    expect(index.bytes).toEqual(convertedManifest(image).bytes);
    for (const layer of found[0]?.layers ?? []) {
      await source.fetch(layer);
      expect(await tools.store.has(layer)).toBe(true);
    }
    expect(asked).toEqual(['GET /images/team/app:1/json', 'GET /images/team/app:1/get']);
  });

  it('may be requested by ID, and then has no name', async () => {
    saved = await tarOf(modernArchive(image, null));
    const { index } = await tools.open(`docker-daemon:${image.config.digest}`).resolve(platforms);
    expect(index.bytes).toEqual(convertedManifest(image).bytes);
    expect(asked[0]).toBe(`GET /images/${image.config.digest}/json`);
  });

  it('may be requested by its registry digest', async () => {
    saved = await tarOf(modernArchive(image, null));
    const name = `team/app@sha256:${'a'.repeat(64)}`;
    await tools.open(`docker-daemon:${name}`).resolve(platforms);
    expect(asked[0]).toBe(`GET /images/${name}/json`);
  });

  it('that is missing is reported', async () => {
    const error = await refusalOf(tools.open('docker-daemon:no/such:1').resolve(platforms));
    expect(error.code).toBe('IMAGE_NOT_FOUND');
    expect(error.message).toContain('no/such:1');
  });

  it('that is truncated is rejected', async () => {
    answer = (request, response) => {
      if (!request.url?.endsWith('/get')) return speak(request, response);
      response.writeHead(200, { 'content-length': saved.length });
      response.write(saved.subarray(0, 3000), () => request.socket.destroy());
      return undefined;
    };
    const error = await refusalOf(tools.open('docker-daemon:team/app:1').resolve(platforms));
    expect(['IMAGE_SOURCE', 'BLOB_SIZE']).toContain(error.code);
  });

  it('that Docker cannot save is rejected', async () => {
    answer = (request, response) => {
      if (!request.url?.endsWith('/get')) return speak(request, response);
      response.writeHead(500).end(JSON.stringify({ message: 'no space left on device' }));
      return undefined;
    };
    const error = await refusalOf(tools.open('docker-daemon:team/app:1').resolve(platforms));
    expect(error.code).toBe('IMAGE_SOURCE');
    expect(error.message).toContain('500');
  });
});

describe('an unreachable Docker daemon', () => {
  it('reports an unreachable Docker daemon with its address', async () => {
    const socket = join(tools.folder, 'elsewhere.sock');
    vi.stubEnv('DOCKER_HOST', `unix://${socket}`);
    const error = await refusalOf(tools.open('docker-daemon:team/app:1').resolve(platforms));
    expect(error.code).toBe('DOCKER_UNREACHABLE');
    expect(error.message).toContain(socket);
  });

  it('may also be one that was stopped', async () => {
    const server = engine;
    await new Promise((resolve) => server?.close(resolve));
    await rm(join(tools.folder, 'docker.sock'), { force: true });
    const error = await refusalOf(tools.open('docker-daemon:team/app:1').resolve(platforms));
    expect(error.code).toBe('DOCKER_UNREACHABLE');
  });

  it.each([['nonsense'], ['http://'], ['npipe:////./pipe/docker_engine'], ['tcp://']])(
    'rejects the address %s of a Docker daemon',
    async (host) => {
      vi.stubEnv('DOCKER_HOST', host);
      const error = await refusalOf(tools.open('docker-daemon:team/app:1').resolve(platforms));
      expect(error.code).toBe('DOCKER_UNREACHABLE');
      expect(error.hint).toContain('unix://');
    },
  );

  it('rejects a Docker daemon with TLS but without certificates', async () => {
    vi.stubEnv('DOCKER_HOST', 'tcp://127.0.0.1:2376');
    vi.stubEnv('DOCKER_CERT_PATH', tools.folder);
    const error = await refusalOf(tools.open('docker-daemon:team/app:1').resolve(platforms));
    expect(error.code).toBe('DOCKER_UNREACHABLE');
    expect(error.hint).toContain('ca.pem');
  });
});

describe('a Docker daemon at DOCKER_HOST', () => {
  it('uses the Docker daemon at DOCKER_HOST over the network', async () => {
    const server = createServer((request, response) => speak(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    vi.stubEnv('DOCKER_HOST', `tcp://127.0.0.1:${port}`);
    const { index } = await tools.open('docker-daemon:team/app:1').resolve(platforms);
    expect(index.bytes).toEqual(convertedManifest(image).bytes);
    server.closeAllConnections();
    server.close();
  });
});
