import { gzipSync, zstdCompressSync } from 'node:zlib';
import { type Digest, digestOf } from '#contract/trust/digest.ts';

/* Images made in memory: small, but with true digests all the way down. */

export interface TestBlob {
  readonly mediaType: string;
  readonly digest: Digest;
  readonly size: number;
  readonly bytes: Buffer;
}

export interface TestPlatformImage {
  readonly manifest: TestBlob;
  readonly config: TestBlob;
  readonly layers: readonly TestBlob[];
  /** The uncompressed layers. */
  readonly plainLayers: readonly Buffer[];
}

export interface TestImage {
  readonly index: TestBlob;
  /** By `linux/amd64`, in the requested order. */
  readonly platforms: ReadonlyMap<string, TestPlatformImage>;
}

export type Compression = 'none' | 'gzip' | 'zstd';
type Json = Record<string, unknown>;

export interface ImageWish {
  /** Default `linux/amd64` and `linux/arm64/v8`. */
  readonly platforms?: readonly string[];
  /**
   * Layers, base first; default two. A string becomes a layer that is not a valid tar, bytes are
   * used as they are. Different strings make different images.
   */
  readonly layers?: ReadonlyArray<string | Buffer>;
  readonly family?: 'oci' | 'docker';
  readonly compression?: Compression;
  /** Adds an attestation manifest for `unknown/unknown`, like buildx. */
  readonly attested?: boolean;
  /** Changes a document before its digest is computed. */
  readonly config?: (config: Json, platform: string) => Json;
  readonly manifest?: (manifest: Json, platform: string) => Json;
  readonly index?: (index: Json) => Json;
}

export const types = {
  oci: {
    index: 'application/vnd.oci.image.index.v1+json',
    manifest: 'application/vnd.oci.image.manifest.v1+json',
    config: 'application/vnd.oci.image.config.v1+json',
    layer: 'application/vnd.oci.image.layer.v1.tar',
    suffix: { none: '', gzip: '+gzip', zstd: '+zstd' },
  },
  docker: {
    index: 'application/vnd.docker.distribution.manifest.list.v2+json',
    manifest: 'application/vnd.docker.distribution.manifest.v2+json',
    config: 'application/vnd.docker.container.image.v1+json',
    layer: 'application/vnd.docker.image.rootfs.diff.tar',
    suffix: { none: '', gzip: '.gzip', zstd: '.zstd' },
  },
} as const;

const compressors: Record<Compression, (plain: Buffer) => Buffer> = {
  none: (plain) => plain,
  gzip: (plain) => gzipSync(plain),
  zstd: (plain) => zstdCompressSync(plain),
};

export function makeImage(wish: ImageWish = {}): TestImage {
  const { platforms = ['linux/amd64', 'linux/arm64/v8'], family = 'oci', attested = false } = wish;
  const images = new Map(platforms.map((platform) => [platform, makePlatform(platform, wish)]));
  const entries = [...images].map(([platform, { manifest }]) => ({
    ...named(manifest),
    platform: platformOf(platform),
  }));
  const attestation = {
    ...named(blob(types.oci.manifest, Buffer.from('{"in-toto":true}'))),
    platform: { os: 'unknown', architecture: 'unknown' },
    annotations: { 'vnd.docker.reference.type': 'attestation-manifest' },
  };
  const index = {
    schemaVersion: 2,
    mediaType: types[family].index,
    manifests: attested ? [...entries, attestation] : entries,
  };
  return { index: document(types[family].index, wish.index?.(index) ?? index), platforms: images };
}

/** An image of one platform, for tests without an index. */
export function makeSingle(wish: ImageWish = {}, platform = 'linux/amd64'): TestPlatformImage {
  return makePlatform(platform, wish);
}

/** Every blob of an image except the index. */
export function blobsOf(image: TestImage): TestBlob[] {
  return [...image.platforms.values()].flatMap(({ manifest, config, layers }) => [
    manifest,
    config,
    ...layers,
  ]);
}

export function blob(mediaType: string, bytes: Buffer): TestBlob {
  return { mediaType, digest: digestOf(bytes), size: bytes.length, bytes };
}

export function document(mediaType: string, value: unknown): TestBlob {
  return blob(mediaType, Buffer.from(JSON.stringify(value)));
}

/** The descriptor of a blob. */
export function named({ mediaType, digest, size }: TestBlob) {
  return { mediaType, digest, size };
}

function makePlatform(platform: string, wish: ImageWish): TestPlatformImage {
  const { layers: texts = ['base', 'program'], family = 'oci', compression = 'gzip' } = wish;
  const media = types[family];
  const plainLayers = texts.map((text) =>
    typeof text === 'string' ? Buffer.from(`${text} for ${platform}\n`.repeat(100)) : text,
  );
  const layers = plainLayers.map((plain) =>
    blob(media.layer + media.suffix[compression], compressors[compression](plain)),
  );
  const plainConfig = {
    ...platformOf(platform),
    config: { Cmd: ['/program'] },
    rootfs: { type: 'layers', diff_ids: plainLayers.map(digestOf) },
  };
  const config = document(media.config, wish.config?.(plainConfig, platform) ?? plainConfig);
  const plainManifest = {
    schemaVersion: 2,
    mediaType: media.manifest,
    config: named(config),
    layers: layers.map(named),
  };
  const value = wish.manifest?.(plainManifest, platform) ?? plainManifest;
  return { manifest: document(media.manifest, value), config, layers, plainLayers };
}

function platformOf(platform: string): Json {
  const [os, architecture, variant] = platform.split('/');
  return { os, architecture, ...(variant === undefined ? {} : { variant }) };
}
