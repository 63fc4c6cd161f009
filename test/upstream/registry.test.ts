import { readFile } from 'node:fs/promises';
import { type AddressInfo, createConnection, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { GenericContainer, type StartedTestContainer, Wait } from 'testcontainers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hexOf } from '#contract/trust/digest.ts';
import { type Equipment, equip } from '../faulty-registry/equipment.ts';
import { pushImages } from '../images/push.ts';
import { needs } from '../integration/needs.ts';

/** The current registry. The other tests use version 2 of Debian, which needs no Docker. */
const image =
  'registry:3.1.1@sha256:1be55279f18a2fe1a74edf2664cac61c1bea305b7b4642dab412e7affdcb3e33';
const nginx = {
  registry: 'docker.io',
  repository: 'library/nginx',
  tag: '1.30.7-alpine',
} as const;
const platforms = ['linux/amd64', 'linux/arm64'] as const;

const real = needs('engine', 'images');

real.describe('the published image of the registry', () => {
  let container: StartedTestContainer;
  let forwarder: Server;
  let tools: Equipment;
  let registry: string;

  beforeAll(async () => {
    process.env.DOCKER_HOST = `unix://${real.engine}`;
    container = await new GenericContainer(image)
      .withWaitStrategy(Wait.forLogMessage(/listening on/))
      .start();
    const [network = ''] = container.getNetworkNames();
    forwarder = await forward(container.getIpAddress(network), 5000);
    registry = `127.0.0.1:${(forwarder.address() as AddressInfo).port}`;
    tools = await equip();
  });
  afterAll(async () => {
    await tools?.close();
    forwarder?.close();
    await container?.stop();
  });

  it('stores an image of two platforms and returns it byte by byte', async () => {
    await pushImages(real.images, [nginx], registry);
    const source = tools.open(`${registry}/${nginx.repository}:${nginx.tag}`);
    const { index, platforms: found } = await source.resolve(platforms);
    for (const { descriptor, bytes } of [index, ...found.map(({ manifest }) => manifest)]) {
      const pushed = join(real.images, 'blobs', 'sha256', hexOf(descriptor.digest));
      expect(bytes).toEqual(await readFile(pushed));
    }
    const layers = found.flatMap((platform) => platform.layers);
    await Promise.all(layers.map((layer) => source.fetch(layer)));
    for (const layer of layers) expect(await tools.store.has(layer)).toBe(true);
  });

  it('names an image that it does not have', async () => {
    const source = tools.open(`${registry}/library/nothing:1`);
    await expect(source.resolve(platforms)).rejects.toMatchObject({ code: 'IMAGE_NOT_FOUND' });
  });
});

/** Listens on loopback for a container: testcontainers would publish its port on all addresses. */
async function forward(host: string, port: number): Promise<Server> {
  const server = createServer((client) => {
    const upstream = createConnection({ host, port });
    client.on('error', () => upstream.destroy()).pipe(upstream);
    upstream.on('error', () => client.destroy()).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
