import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { type ModelName, parseModelName } from '../models/model-name.ts';
import type { Layer, Manifest, ModelStore } from '../models/model-store.ts';
import { downloadBlob, type PullPace } from './blob-download.ts';
import { goJsonError } from './go-errors.ts';
import { registryRequest } from './registry-request.ts';

export interface PullRequest {
  readonly model?: string;
  readonly name?: string;
  readonly insecure?: boolean;
  readonly stream?: boolean;
}

const accept = 'application/vnd.docker.distribution.manifest.v2+json';

/** Parses the name in a pull request; undefined if it is invalid. */
export function pulledName({ model, name }: PullRequest): ModelName | undefined {
  return parseModelName(model || name || '');
}

/**
 * Pulls a model as Ollama does (`server/images.go`, `PullModel`): the manifest, every missing blob,
 * the hashes, and the manifest last.
 * @param registry address that `registry.ollama.ai` maps to in this test
 * @throws Error with Ollama's message
 */
export async function* pull(
  request: PullRequest,
  store: ModelStore,
  registry: string | undefined,
  pace: PullPace = {},
): AsyncGenerator<{ status: string; digest?: string; total?: number; completed?: number }> {
  const name = pulledName(request);
  if (!name) throw new Error('invalid model name');
  const base = baseOf(name, request.insecure === true, registry);
  yield { status: 'pulling manifest' };
  const { bytes, manifest } = await fetchManifest(new URL(`${base}/manifests/${name.tag}`));
  const fetched: Layer[] = [];
  for (const layer of [...manifest.layers, manifest.config]) {
    const { digest } = layer;
    const about = { status: `pulling ${digest.slice('sha256:'.length).slice(0, 12)}`, digest };
    const path = store.blobPath(digest);
    // An existing blob is trusted regardless of its content.
    const present = await stat(path).catch(() => undefined);
    if (present) {
      yield { ...about, total: present.size, completed: present.size };
      continue;
    }
    const progress = downloadBlob(new URL(`${base}/blobs/${digest}`), path, pace);
    for await (const amounts of progress) yield { ...about, ...amounts };
    fetched.push(layer);
  }
  yield { status: 'verifying sha256 digest' };
  for (const layer of fetched) await verify(layer, store);
  yield { status: 'writing manifest' };
  await store.putManifest(name, bytes);
  yield { status: 'success' };
}

/** The original drops a scheme in the name; only `insecure` selects plain HTTP. */
function baseOf(name: ModelName, insecure: boolean, registry: string | undefined): string {
  const { host, namespace, model } = name;
  const origin =
    host === 'registry.ollama.ai' && registry
      ? registry
      : `${insecure ? 'http' : 'https'}://${host}`;
  return `${origin}/v2/${namespace}/${model}`;
}

async function fetchManifest(url: URL): Promise<{ bytes: Buffer; manifest: Manifest }> {
  try {
    const response = await registryRequest({ method: 'GET', url, headers: { accept } });
    const bytes = Buffer.from(await response.arrayBuffer());
    return { bytes, manifest: parse(bytes.toString('utf8')) };
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`pull model manifest: ${message}`);
  }
}

function parse(text: string): Manifest {
  try {
    return JSON.parse(text) as Manifest;
  } catch {
    throw goJsonError(text);
  }
}

async function verify({ digest }: Layer, store: ModelStore): Promise<void> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(store.blobPath(digest))) hash.update(chunk);
  const found = `sha256:${hash.digest('hex')}`;
  if (found === digest) return;
  await rm(store.blobPath(digest));
  throw new Error(`digest mismatch, file must be downloaded again: want ${digest}, got ${found}`);
}
