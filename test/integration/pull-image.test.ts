import { randomBytes } from 'node:crypto';
import { symlinkSync } from 'node:fs';
import Docker from 'dockerode';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { blockSize, encodeTarHeader, endOfArchive } from '#contract/bundle/tar-header.ts';
import type { Amount } from '#contract/text/amount.ts';
import type { PullPace } from '../../appliance/server/host/pull/retry-pull.ts';
import { silentReporter } from '../../appliance/server/stage/reporter.ts';
import { pullImage } from '../../appliance/stages/images/pull-outside.ts';
import { TemporaryHost } from '../appliance/temporary-host.ts';
import { FaultyRegistry, type RegistryOptions } from '../faulty-registry/faulty-registry.ts';
import { basicGate } from '../faulty-registry/gates.ts';
import { makeSingle, type TestPlatformImage } from '../faulty-registry/make-image.ts';
import { cutAfter, inTurn, serve, stallAfter, status } from '../faulty-server/faults.ts';
import { needs } from './needs.ts';

const real = needs('engine');
const layerBytes = 4 << 20;

real.describe('an image that a real Docker pulls', () => {
  let registry: FaultyRegistry;
  let image: TestPlatformImage;
  let reference: string;
  let said: string[];
  let bars: Amount[];

  /** Starts a registry with a new image. */
  async function start(options: RegistryOptions = {}) {
    registry = await FaultyRegistry.start(options);
    image = makeSingle({ layers: [layer('one'), layer('two')], compression: 'none' });
    registry.push('x/engine:1', image);
    reference = `${registry.host}/x/engine@${image.manifest.digest}`;
  }

  beforeEach(() => {
    [said, bars] = [[], []];
  });
  afterEach(async () => {
    const engine = new Docker({ socketPath: real.engine });
    await engine
      .getImage(reference)
      .remove({ force: true })
      .catch(() => undefined);
    await registry.close();
  });

  async function pull(options: PullPace = {}, files: Readonly<Record<string, string>> = {}) {
    const host = TemporaryHost.with({ 'run/nothing': '', ...files });
    symlinkSync(real.engine, host.path('run/docker.sock'));
    const report = {
      ...silentReporter,
      say: (line: string) => void said.push(line),
      progress: (amount: Amount) => void bars.push(amount),
    };
    await pullImage(host, reference, null, report, { sleep: async () => {}, ...options });
  }

  const isThere = async () => {
    const { RepoDigests } = await new Docker({ socketPath: real.engine })
      .getImage(reference)
      .inspect();
    return RepoDigests?.includes(reference);
  };
  const max = () => `/v2/x/engine/blobs/${image.layers[1]?.digest}`;
  const bytesOf = () => image.layers[1]?.bytes ?? Buffer.alloc(0);

  it('pulls an image by its digest, with a progress bar over all bytes', async () => {
    await start();
    await pull();
    expect(await isThere()).toBe(true);
    expect(said).toEqual([`pulling ${reference}`]);
    // Docker reports no progress for a layer that arrives at once.
    const last = bars.at(-1);
    expect(image.layers.map((_, index) => (index + 1) * bytesOf().length)).toContain(last?.total);
    expect(last).toEqual({ done: last?.total, total: last?.total, unit: 'bytes' });
  });

  // The docker command waits forever here.
  it('pulls an image although a layer stalled half-way', async () => {
    await start();
    const half = Math.floor(layerBytes / 2);
    registry.fault(max(), inTurn(stallAfter(half, bytesOf()), serve(bytesOf())));
    await pull({ limits: { fetching: 3000, checking: 60_000 } });
    expect(await isThere()).toBe(true);
    expect(said.filter((line) => line.includes('stalled'))).toHaveLength(1);
  });

  it('pulls an image although its registry did not respond at first', async () => {
    await start();
    const path = `/v2/x/engine/manifests/${image.manifest.digest}`;
    const { bytes, mediaType: type } = image.manifest;
    registry.fault(path, inTurn(stallAfter(0, bytes), serve(bytes, { type })));
    await pull({ limits: { fetching: 3000, checking: 60_000 } });
    expect(await isThere()).toBe(true);
  });

  it('pulls an image although the connection was cut', async () => {
    await start();
    registry.fault(max(), inTurn(cutAfter(100_000, bytesOf()), serve(bytesOf())));
    await pull();
    expect(await isThere()).toBe(true);
  });

  it('pulls an image with the credentials of docker login', async () => {
    const login = { username: 'me', password: 'a:secret' };
    await start({ gate: basicGate(login) });
    await expect(pull()).rejects.toMatchObject({ code: 'REGISTRY_AUTH' });
    const auth = Buffer.from('me:a:secret').toString('base64');
    const settings = JSON.stringify({ auths: { [registry.host]: { auth } } });
    await pull({}, { 'root/.docker/config.json': settings });
    expect(await isThere()).toBe(true);
  });

  it('reports an unknown digest as an image that was not found', async () => {
    await start();
    reference = reference.replace(/[0-9a-f]{64}$/, 'f'.repeat(64));
    await expect(pull()).rejects.toMatchObject({ code: 'IMAGE_NOT_FOUND' });
  });

  it('reports an image as rate-limited after too many requests', async () => {
    await start();
    const body = '{"errors":[{"code":"TOOMANYREQUESTS","message":"You have reached your limit"}]}';
    const json = { 'content-type': 'application/json' };
    registry.fault(`/v2/x/engine/manifests/${image.manifest.digest}`, status(429, json, body));
    await expect(pull({ attempts: 1 })).rejects.toMatchObject({ code: 'REGISTRY_RATE_LIMIT' });
  });

  it('fails with a hint when the registry is unreachable', async () => {
    await start();
    await registry.close();
    await expect(pull({ attempts: 2 })).rejects.toMatchObject({
      code: 'NETWORK_UNREACHABLE',
      hint: expect.stringContaining('mirrors.registries'),
      problems: [{ message: expect.stringContaining('connection refused') }],
    });
  });
});

/** Returns a layer with one file of random bytes. */
function layer(name: string): Buffer {
  const content = randomBytes(layerBytes);
  const entry = { name, size: content.length, mtime: 0, executable: false };
  expect(content.length % blockSize).toBe(0);
  return Buffer.concat([encodeTarHeader(entry), content, endOfArchive]);
}
