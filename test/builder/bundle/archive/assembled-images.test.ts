import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodeUtf8 } from '#contract/text/bytes.ts';
import { digestOf } from '#contract/trust/digest.ts';
import type { BundleEntry } from '../../../../builder/bundle/archive/entry.ts';
import { locateImages } from '../../../../builder/bundle/archive/located-contents.ts';
import { planBundle } from '../../../../builder/bundle/archive/plan-bundle.ts';
import { releaseFacts, releaseOf } from '../../../../builder/bundle/archive/release-facts.ts';
import { selectComponents } from '../../../../builder/bundle/archive/selection.ts';
import { bootstrapFiles } from '../../../../builder/bundle/bootstrap-files.ts';
import { statementOf } from '../../../../builder/bundle/sign/statement.ts';
import { BlobPrefetch } from '../../../../builder/inputs/blobs/prefetch.ts';
import type { Appliance } from '../../../../builder/inputs/config/appliance.ts';
import { type Equipment, equip, refusalOf } from '../../../faulty-registry/equipment.ts';
import { FaultyRegistry } from '../../../faulty-registry/faulty-registry.ts';
import { makeImage } from '../../../faulty-registry/make-image.ts';
import { lockFor, someAppliance } from '../../inputs/lock/fixture.ts';
import { testKey } from './fixture.ts';

const signer = testKey();
const scripts = new Map([['relay' as const, { bytes: Buffer.from('a relay'), packages: [] }]]);
let registry: FaultyRegistry;
let tools: Equipment;
beforeEach(async () => {
  registry = await FaultyRegistry.start();
  tools = await equip();
});
afterEach(async () => {
  await tools.close();
  await registry.close();
});

/** Builds a release with Ollama and the relay. */
async function built(
  kind: 'thin' | 'full',
  lockedIndex?: string,
  changes: Partial<Appliance> = {},
) {
  const engine = makeImage({ layers: ['engine'] });
  const node = makeImage({ layers: ['libc', 'node'] });
  registry.push('engine:1', engine);
  registry.push('node:24', node);
  const appliance = someAppliance({
    platforms: ['linux/amd64'],
    components: {
      engine: { image: `${registry.host}/engine:1`, optional: false },
      relay: { image: `${registry.host}/node:24`, program: 'relay', optional: true },
    },
    ...changes,
  });
  const lock = lockFor(appliance);
  for (const [name, image] of [
    ['engine', engine],
    ['relay', node],
  ] as const) {
    const made = image.platforms.get('linux/amd64');
    const entry = lock.images[name];
    if (!made || !entry) throw new Error('the fixture lost an image');
    entry.index = image.index.digest;
    entry.platforms['linux/amd64'] = {
      manifest: made.manifest.digest,
      config: made.config.digest,
      size: 1,
    };
  }
  if (lockedIndex && lock.images.relay) lock.images.relay.index = lockedIndex;
  const { components } = selectComponents(appliance, lock, new Set());
  const carried = components.filter((each) => kind === 'full' || each.program);
  const images = await locateImages(carried, 'linux/amd64', {
    openLocked: ({ locked }) => tools.open(locked.image),
    scripts,
    store: tools.store,
  });
  const prefetch = new BlobPrefetch(tools.store);
  const entries = await planBundle(
    {
      ...{ version: '1.0.0', arch: 'amd64', kind, lock, images, models: [], documents: [] },
      ...{ stack: { files: [], services: new Map() }, program: Buffer.from('x') },
    },
    { outside: { obtain: async () => ({}) } as never, prefetch },
  );
  await prefetch.settled();
  const facts = releaseFacts({
    ...{ appliance, lock, kind, arch: 'amd64', components, selected: [], images, models: [] },
    ...{ keys: { release: [signer.public], recovery: undefined }, created: new Date(0) },
  });
  return { release: releaseOf(facts, entries), entries, node, engine };
}

const blobsOf = (entries: readonly BundleEntry[]) =>
  new Set(entries.filter(({ path }) => path.startsWith('blobs/')).map(({ sha256 }) => sha256));

describe.each(['thin', 'full'] as const)('a %s bundle with an assembled image', (kind) => {
  it('contains every blob of the image', async () => {
    const { release, entries } = await built(kind);
    const relay = release.images.find(({ component }) => component === 'relay');
    const blobs = blobsOf(entries);
    for (const digest of [relay?.index, relay?.manifest, relay?.config]) {
      expect(blobs).toContain(digest?.slice('sha256:'.length));
    }
    const manifest = entries.find(({ sha256 }) => `sha256:${sha256}` === relay?.manifest);
    const { layers } = JSON.parse(String(manifest?.content));
    for (const { digest } of layers) {
      expect(blobs).toContain(digest.slice('sha256:'.length));
      expect(
        await tools.store.has({ ...layers.find((l: { digest: string }) => l.digest === digest) }),
      ).toBe(true);
    }
    expect(layers).toHaveLength(3);
  });

  it('contains the proxy client of an appliance that has one', async () => {
    const clients = { 'sing-box': { version: '1.14.4', urls: ['https://x.example/{arch}'] } };
    const paths = ({ entries }: Awaited<ReturnType<typeof built>>) =>
      entries.map(({ path }) => path);
    expect(paths(await built(kind, undefined, { clients }))).toContain('runtime/sing-box.tar.gz');
    expect(paths(await built(kind))).not.toContain('runtime/sing-box.tar.gz');
  });

  it('lists the image with its digest and its base', async () => {
    const { release, node } = await built(kind);
    expect(release.images[1]).toMatchObject({
      component: 'relay',
      reference: expect.stringMatching(/^landfall\.local\/relay:[0-9a-f]{12}$/),
      base: { reference: `${registry.host}/node:24`, index: node.index.digest },
      optional: true,
    });
    expect(release.images[1]?.index).not.toBe(node.index.digest);
    expect(release.images[1]?.size).toBeGreaterThan(1000);
    expect(release.images[0]).not.toHaveProperty('base');
  });

  it('lists the files of its bootstrap', async () => {
    const { release } = await built(kind);
    expect(release.bootstrap).toEqual(
      bootstrapFiles().map(({ name, sha256 }) => ({ name, sha256 })),
    );
  });

  it('lists the base as a dependency in its provenance, and not the image', async () => {
    const { release, node } = await built(kind);
    const statement = statementOf(release, { builderVersion: '0', lockSha256: '0'.repeat(64) });
    const text = JSON.stringify(statement);
    expect(text).toContain(node.index.digest.slice('sha256:'.length));
    expect(text).not.toContain('landfall.local/relay');
  });

  it('contains other images only if it is full', async () => {
    const { entries, engine } = await built(kind);
    const own = engine.index.digest.slice('sha256:'.length);
    expect(blobsOf(entries).has(own)).toBe(kind === 'full');
  });

  it('writes the bundle as an OCI layout with an index of its images', async () => {
    const { entries } = await built(kind);
    const index = entries.find(({ path }) => path === 'index.json');
    const { manifests } = JSON.parse(decodeUtf8(index?.content as Uint8Array));
    expect(manifests).toHaveLength(kind === 'full' ? 2 : 1);
    expect(manifests.at(-1).annotations['org.opencontainers.image.ref.name']).toMatch(
      /^landfall\.local\/relay:[0-9a-f]{12}$/,
    );
  });

  it('assembles the image of the bundle reproducibly', async () => {
    const { release: first } = await built(kind);
    const { release: second } = await built(kind);
    expect(first.files.filter(({ path }) => path.startsWith('blobs/'))).toEqual(
      second.files.filter(({ path }) => path.startsWith('blobs/')),
    );
  });

  it('rejects an assembled image if the base differs from the lock', async () => {
    const error = await refusalOf(built(kind, digestOf('another index')));
    expect(error.code).toBe('LOCK_DRIFT');
  });
});
