import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { modelBlobPath } from '#contract/bundle/bundle-paths.ts';
import type { Release, ReleaseModel } from '#contract/bundle/release.ts';
import { type Digest, digestOf, hexOf } from '#contract/trust/digest.ts';
import { contextFor, type Differences, type TestContext } from '../../context.ts';
import { type Answers, TemporaryHost } from '../../temporary-host.ts';

/** Mount point of Ollama's volume in these tests. */
const volume = '/var/lib/docker/volumes/landfall_engine-data/_data';
/** Folder of its models, relative to the root folder. */
export const store = `${volume.slice(1)}/models`;

export const manifestOfHost = (name: string) =>
  `${store}/manifests/registry.ollama.ai/library/${name.replace(':', '/')}`;
export const blobOfHost = (digest: string) => `${store}/blobs/${digest.replace(':', '-')}`;

/** A model in a bundle. */
export interface BundledModel {
  readonly model: ReleaseModel & { readonly manifest: Digest };
  readonly manifest: Buffer;
  /** Blobs that the manifest names. */
  readonly blobs: ReadonlyMap<Digest, Buffer>;
}

/** Returns a small model with arbitrary blobs. */
export function bundledModel(name: string, weights = `weights of ${name}`): BundledModel {
  const contents = ['{"model_format":"gguf"}', weights, 'Apache-2.0\n'].map((each) =>
    Buffer.from(each),
  );
  const [config, ...layers] = contents.map((bytes) => ({
    mediaType: 'application/vnd.ollama.image.model',
    digest: digestOf(bytes),
    size: bytes.length,
  }));
  const manifest = Buffer.from(JSON.stringify({ schemaVersion: 2, config, layers }));
  const blobs = new Map(contents.map((bytes) => [digestOf(bytes), bytes]));
  const size = contents.reduce((sum, { length }) => sum + length, 0);
  return { model: { name, role: 'chat', manifest: digestOf(manifest), size }, manifest, blobs };
}

/** Returns a server with Ollama's volume and a release that contains these models. */
export function serverWith(
  bundled: readonly BundledModel[],
  differences: Differences = {},
  answers: Answers = {},
): {
  host: TemporaryHost;
  context: TestContext;
  put(path: string, content: string | Buffer): void;
} {
  const host = TemporaryHost.with({}, { 'docker volume inspect': `${volume}\n`, ...answers });
  mkdirSync(host.path(volume), { recursive: true });
  const put = (path: string, content: string | Buffer) => {
    mkdirSync(dirname(host.path(path)), { recursive: true });
    writeFileSync(host.path(path), content);
  };
  for (const { manifest, blobs } of bundled) {
    for (const bytes of [manifest, ...blobs.values()]) {
      put(join('release', modelBlobPath(digestOf(bytes))), bytes);
    }
  }
  // All models, regardless of the memory.
  const models = bundled.map(({ model }) => model.name);
  const release: Partial<Release> = {
    models: bundled.map(({ model }) => model),
    files: bundled.flatMap(({ manifest, blobs }) => [manifest, ...blobs.values()].map(fileOf)),
    ...differences.release,
  };
  const context = {
    ...contextFor(host, { ...differences, site: { models, ...differences.site }, release }),
    releaseFolder: host.path('release'),
  };
  return { host, context, put };
}

/** Deletes a model from the folder of its release, as in a thin bundle. */
export function withoutFiles(host: TemporaryHost): void {
  rmSync(host.path('release/models'), { recursive: true, force: true });
}

function fileOf(bytes: Buffer): Release['files'][number] {
  const digest = digestOf(bytes);
  return {
    path: modelBlobPath(digest),
    size: bytes.length,
    sha256: hexOf(digest),
    offset: 512,
    executable: false,
  };
}
