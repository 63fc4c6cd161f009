import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { tinyEmbeddingGguf } from '../gguf/tiny-embedding-gguf.ts';
import { tinyGguf } from '../gguf/tiny-gguf.ts';
import { parseModelName } from './model-name.ts';
import type { Manifest } from './model-store.ts';
import { ModelStore } from './model-store.ts';

/** A model in a registry or a store: the manifest's bytes, and blobs by their digest. */
export interface ModelFiles {
  readonly manifest: Buffer;
  readonly blobs: ReadonlyMap<string, Buffer>;
}

/**
 * Builds the tiny model in the form of Ollama's registry.
 * @param family `llama` for text, `bert` for embeddings
 * @param params options of the model, such as `num_predict`; without them it has no such layer
 */
export function tinyModel(seed = 1, family = 'llama', params?: object): ModelFiles {
  const gguf = family === 'bert' ? tinyEmbeddingGguf(seed) : tinyGguf(seed);
  return modelOf(gguf, family, params ? { params: JSON.stringify(params) } : {});
}

/**
 * Builds a model of these weights in the form of Ollama's registry.
 * @param layers texts of further layers, such as `template` and `params`
 */
export function modelOf(
  gguf: Buffer,
  family: string,
  layers: Readonly<Record<string, string>> = {},
): ModelFiles {
  const weights = blob('application/vnd.ollama.image.model', gguf);
  const extra = Object.entries({ license: 'Apache-2.0\n', ...layers }).map(([kind, text]) =>
    blob(`application/vnd.ollama.image.${kind}`, Buffer.from(text)),
  );
  const config = blob(
    'application/vnd.docker.container.image.v1+json',
    Buffer.from(
      JSON.stringify({
        model_format: 'gguf',
        model_family: family,
        model_families: [family],
        model_type: '130K',
        file_type: 'F32',
        architecture: 'amd64',
        os: 'linux',
        rootfs: { type: 'layers', diff_ids: [weights, ...extra].map(({ layer }) => layer.digest) },
      }),
    ),
  );
  const document: Manifest & { schemaVersion: 2; mediaType: string } = {
    schemaVersion: 2,
    mediaType: 'application/vnd.docker.distribution.manifest.v2+json',
    config: config.layer,
    layers: [weights, ...extra].map(({ layer }) => layer),
  };
  return {
    manifest: Buffer.from(JSON.stringify(document)),
    blobs: new Map([weights, ...extra, config].map(({ layer, bytes }) => [layer.digest, bytes])),
  };
}

/** Writes the tiny model to a store, as the server does with the models of a bundle. */
export async function putTinyModel(
  folder: string,
  name: string,
  seed = 1,
  family = 'llama',
  params?: object,
): Promise<void> {
  await putModel(folder, name, tinyModel(seed, family, params));
}

/** Writes a model to a store. */
export async function putModel(
  folder: string,
  name: string,
  { manifest, blobs }: ModelFiles,
): Promise<void> {
  const parsed = parseModelName(name);
  if (!parsed) throw new Error(`invalid model name: ${name}`);
  const store = new ModelStore(folder);
  await mkdir(folder, { recursive: true });
  await store.prepare();
  for (const [digest, bytes] of blobs) await writeFile(store.blobPath(digest), bytes);
  await store.putManifest(parsed, manifest);
}

function blob(mediaType: string, bytes: Buffer) {
  const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  return { layer: { mediaType, digest, size: bytes.length }, bytes };
}
