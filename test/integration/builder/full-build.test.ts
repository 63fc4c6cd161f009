import { createReadStream } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeRelease } from '#contract/bundle/decode-release.ts';
import { headMembers } from '#contract/bundle/head.ts';
import type { Release } from '#contract/bundle/release.ts';
import { verifyBundle } from '#contract/bundle/verify.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import { readPublicKey } from '#contract/trust/keys.ts';
import { modulesOf } from '../../builder/bin/loaded-modules.ts';
import { FaultyRegistry } from '../../faulty-registry/faulty-registry.ts';
import { makeImage } from '../../faulty-registry/make-image.ts';
import { workFolder } from '../../simulator/work-folder.ts';
import { needs } from '../needs.ts';
import { BuilderRig, type BuildResult } from './builder-rig.ts';
import { ToolsOfTrixie } from './tools-of-trixie.ts';

const real = needs('registry', 'images', 'skopeo', 'trixie');
const name = 'landfall-0.1.0-amd64';

real.describe('a full bundle of real images', () => {
  let rig: BuilderRig;
  let first: BuildResult;
  let release: Release;

  beforeAll(async () => {
    rig = new BuilderRig(join(await workFolder(), 'full'), real.registry);
    await rig.prepare({
      engine: 'ollama/ollama:0.35.1',
      ui: 'ghcr.io/open-webui/open-webui:v0.12.4',
      chat: 'yidadaa/chatgpt-next-web:v2.16.1',
      lobe: 'landfall/zstd:1',
      tinyproxy: 'kalaksi/tinyproxy:1.7',
      gateway: 'nginx:1.30.7-alpine',
      acme: 'goacme/lego:v5.6.0',
    });
    first = await rig.build({ output: 'dist' });
    release = decodeRelease(await rig.read('dist', `${name}.release.json`));
  });
  afterAll(() => rig.close());

  it('contains seven images, each shared layer once', () => {
    expect(release.images).toHaveLength(7);
    const alone = release.images.reduce((sum, { size }) => sum + (size ?? 0), 0);
    const blobs = release.files.filter(({ path }) => path.startsWith('blobs/'));
    const carried = blobs.reduce((sum, { size }) => sum + size, 0);
    expect(carried).toBeGreaterThan(50e6);
    expect(carried).toBeLessThan(alone);
  });

  it('passes landfall verify', async () => {
    const result = JSON.parse(
      await rig.landfall(['verify', '--json', '--key', 'release.pub', `dist/${name}.tar`]),
    );
    expect(result).toMatchObject({ verified: true, kind: 'full', signer: { role: 'release' } });
  });

  it('passes openssl and cosign of Debian 13', async () => {
    const tools = new ToolsOfTrixie(real.trixie, join(rig.folder, 'dist'));
    const inside = (file: string) => `/mnt/${file}`;
    const manifest = inside(`${name}.release.json`);
    const key = inside('release.pub');
    expect(await tools.digested(key, inside(`${name}.release.json.sig`), manifest)).toBe(true);
    expect(await tools.signed(key, inside(`${name}.release.sigstore.json`), manifest)).toBe(true);
  });

  it('passes sha256sum, and is an OCI image layout for skopeo', async () => {
    const folder = join(rig.folder, 'unpacked');
    await mkdir(folder);
    try {
      await execa('tar', ['-xf', join(rig.folder, 'dist', `${name}.tar`), '-C', folder]);
      const { stdout } = await execa(
        'sha256sum',
        ['--check', '--strict', '--quiet', 'SHA256SUMS'],
        { cwd: folder },
      );
      expect(stdout).toBe('');
      const index: LayoutIndex = JSON.parse(await readFile(join(folder, 'index.json'), 'utf8'));
      expect(index.manifests).toHaveLength(7);
      // The skopeo of Debian 12 reads only layouts of OCI manifests; newer tools read Docker's
      // there too.
      const oci = index.manifests.filter(({ mediaType }) => /oci/.test(mediaType));
      expect(oci.length).toBeGreaterThan(3);
      for (const { annotations, digest } of oci) {
        const image = `oci:${folder}:${annotations['org.opencontainers.image.ref.name']}`;
        const inspected = await execa(real.skopeo, ['inspect', image]);
        expect(JSON.parse(inspected.stdout).Digest).toBe(digest);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('hashes every byte once, and writes it to the store and to the bundle', () => {
    const size = release.files.reduce((sum, file) => sum + file.size, 0);
    const { fetched, hashed, written } = first.cost;
    expect(hashed).toBeLessThanOrEqual(fetched);
    expect(written).toBeLessThan(fetched + 1.02 * size);
  });

  it('locks every digest of the registry in a full bundle', () => {
    for (const { index, manifest, config } of release.images) {
      for (const digest of [index, manifest, config])
        expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    }
  });

  it('contains signed SBOM and provenance, inside and next to it', async () => {
    const beside = await rig.read('dist', `${name}.sbom.cdx.json`);
    const member = release.files.find(({ path }) => path === 'sbom.cdx.json');
    expect(member?.sha256).toBe(sha256Hex(beside));
    const { components } = JSON.parse(String(beside));
    const digestOf = (component: string) =>
      components
        .find((each: { 'bom-ref': string }) => each['bom-ref'] === `image:${component}`)
        ?.hashes.map(({ content }: { content: string }) => `sha256:${content}`);
    for (const { component, manifest } of release.images) {
      expect(digestOf(component)).toEqual([manifest]);
    }
    const inspected = await rig.landfall(['inspect', `dist/${name}.tar`]);
    expect(inspected).toMatch(/^SBOM +sbom\.cdx\.json, .*, CycloneDX$/m);
  });

  describe('on a second build', () => {
    it('keeps a full bundle on a second build when nothing changed', async () => {
      const again = await rig.build({ output: 'dist' });
      expect(again.bundles).toMatchObject([{ unchanged: true }]);
      expect(again.cost).toMatchObject({ fetched: 0, hashed: 0, written: 0 });
    });

    it('loads neither the HTTP library nor the one that starts npm when nothing changed', async () => {
      const { packages } = await modulesOf(rig.buildWords({ output: 'dist' }), {
        cwd: rig.folder,
      });
      expect(packages).toContain('zod');
      expect(packages.filter((each) => ['undici', 'execa'].includes(each))).toEqual([]);
    });

    it('builds an identical bundle in another folder, from another store, at another time', async () => {
      const env = { TZ: 'Asia/Shanghai', LC_ALL: 'zh_CN.UTF-8', HOME: join(rig.folder, 'home') };
      await rig.build({ output: 'elsewhere/dist', store: 'other-store', env });
      const [one, two] = await Promise.all([
        membersOf(join(rig.folder, 'dist', `${name}.tar`)),
        membersOf(join(rig.folder, 'elsewhere/dist', `${name}.tar`)),
      ]);
      const signatures = headMembers
        .map((member) => member.name)
        .filter((member) => /sig/.test(member));
      for (const signature of signatures) {
        one.delete(signature);
        two.delete(signature);
      }
      expect(one).toEqual(two);
      expect(one.size).toBe(release.files.length + 2);
      await rm(join(rig.folder, 'elsewhere'), { recursive: true });
      await rm(join(rig.folder, 'other-store'), { recursive: true });
    });

    it('needs no registry when the store is complete', async () => {
      const offline = new BuilderRig(rig.folder, '127.0.0.1:9');
      const result = await offline.build({ output: 'offline', more: ['--frozen'] });
      expect(result.bundles[0]?.manifestSha256).toBe(first.bundles[0]?.manifestSha256);
      expect(result.cost.fetched).toBe(0);
      await rm(join(rig.folder, 'offline'), { recursive: true });
    });

    it('dates a bundle with the time of SOURCE_DATE_EPOCH', async () => {
      await rig.build({ output: 'dated', env: { SOURCE_DATE_EPOCH: '1700000000' } });
      const dated = decodeRelease(await rig.read('dated', `${name}.release.json`));
      expect(dated.created).toBe('2023-11-14T22:13:20Z');
      const key = readPublicKey((await rig.read('release.pub')).toString());
      const stream = createReadStream(join(rig.folder, 'dated', `${name}.tar`));
      await verifyBundle(stream, { keys: { release: [key], recovery: undefined } });
      await rm(join(rig.folder, 'dated'), { recursive: true });
    });
  });

  it('completes a build after an earlier one was killed, without repeated downloads', async () => {
    const powerCut = new AbortController();
    const options = { output: 'killed', store: 'killed-store' };
    const killed = rig.build({ ...options, powerCut: powerCut.signal });
    const outcome = await Promise.race([
      killed.then(() => 'finished'),
      storeHolds(join(rig.folder, 'killed-store'), 20e6).then(() => 'in progress'),
    ]);
    expect(outcome).toBe('in progress');
    powerCut.abort();
    await expect(killed).rejects.toThrow();
    const result = await rig.build(options);
    expect(result.bundles[0]?.manifestSha256).toBe(first.bundles[0]?.manifestSha256);
    expect(result.cost.fetched).toBeLessThan(first.cost.fetched - 15e6);
    await rm(join(rig.folder, 'killed'), { recursive: true });
    await rm(join(rig.folder, 'killed-store'), { recursive: true });
  });
});

real.describe('a bundle of one very large layer', () => {
  it('uses a fraction of its size in memory during the build', async () => {
    const size = 500e6;
    const layers = [Buffer.alloc(size)];
    const registry = await FaultyRegistry.start();
    registry.push(
      'library/large:1',
      makeImage({ platforms: ['linux/amd64'], layers, compression: 'none' }),
    );
    const rig = new BuilderRig(join(await workFolder(), 'large'), registry.host);
    try {
      await rig.prepare({ gateway: 'large:1' });
      const { cost } = await rig.build({ output: 'dist' });
      expect(cost.fetched).toBeGreaterThan(size);
      expect(cost.peakMemory).toBeLessThan(size / 2);
    } finally {
      rig.close();
      await registry.close();
    }
  });
});

interface LayoutIndex {
  readonly manifests: ReadonlyArray<{
    readonly mediaType: string;
    readonly digest: string;
    readonly annotations: Readonly<Record<string, string>>;
  }>;
}

/** Returns the members of an archive by name, each with the SHA-256 of coreutils. */
async function membersOf(path: string): Promise<Map<string, string>> {
  const { stdout } = await execa('tar', [
    '--to-command',
    'sha256sum | cut -c-64 | sed "s,^,$TAR_FILENAME ,"',
    '-xf',
    path,
  ]);
  return new Map(stdout.split('\n').map((line) => line.split(' ') as [string, string]));
}

/** Waits until a folder contains this many bytes, in complete or partial files. */
async function storeHolds(folder: string, bytes: number): Promise<void> {
  for (;;) {
    const { stdout } = await execa('du', ['-sb', folder], { reject: false });
    if (Number(stdout?.split('\t')[0] ?? 0) >= bytes) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
