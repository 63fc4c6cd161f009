import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { type ModelName, parseModelName } from './model-name.ts';
import type { Layer, Manifest, ModelStore } from './model-store.ts';

export interface PullRequest {
  readonly model?: string;
  readonly name?: string;
  readonly insecure?: boolean;
  readonly stream?: boolean;
}

const manifestType = 'application/vnd.docker.distribution.manifest.v2+json';
/** A line of progress for every so many bytes. */
const step = 64 * 1024;

/**
 * Fetches a model as Ollama does: the manifest, every blob that is missing, the hashes, and the
 * manifest last.
 * @param registry where `registry.ollama.ai` is in this test
 */
export async function* pull(
  { model, name: oldName, insecure }: PullRequest,
  store: ModelStore,
  registry: string | undefined,
): AsyncGenerator<{ status: string; digest?: string; total?: number; completed?: number }> {
  const name = parseModelName(model ?? oldName ?? '');
  if (!name) throw new Error('invalid model name');
  const base = baseOf(name, insecure === true, registry);
  yield { status: 'pulling manifest' };
  const bytes = await fetchManifest(`${base}/manifests/${name.tag}`);
  const manifest: Manifest = JSON.parse(bytes.toString('utf8'));
  const layers = [...manifest.layers, manifest.config];
  const fetched: Layer[] = [];
  for (const layer of layers) {
    const status = `pulling ${layer.digest.slice('sha256:'.length, 'sha256:'.length + 12)}`;
    const about = { status, digest: layer.digest, total: layer.size };
    // A blob that is there is trusted, whatever is in it.
    if (await stat(store.blobPath(layer.digest)).catch(() => undefined)) {
      yield { ...about, completed: layer.size };
      continue;
    }
    yield about;
    for await (const completed of download(base, layer, store)) yield { ...about, completed };
    fetched.push(layer);
  }
  yield { status: 'verifying sha256 digest' };
  for (const layer of fetched) await verify(layer, store);
  yield { status: 'writing manifest' };
  await store.putManifest(name, bytes);
  yield { status: 'success' };
}

/** A scheme in the name is dropped by the original; only `insecure` makes it plain HTTP. */
function baseOf(name: ModelName, insecure: boolean, registry: string | undefined): string {
  const { host, namespace, model } = name;
  const origin =
    host === 'registry.ollama.ai' && registry
      ? registry
      : `${insecure ? 'http' : 'https'}://${host}`;
  return `${origin}/v2/${namespace}/${model}`;
}

async function fetchManifest(url: string): Promise<Buffer> {
  const response = await fetch(url, { headers: { accept: manifestType } });
  if (response.status === 404) throw new Error('pull model manifest: file does not exist');
  if (!response.ok) throw new Error(`pull model manifest: ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

/** A blob, into a partial file first, which a later pull goes on with; gives the bytes so far. */
async function* download(base: string, { digest, size }: Layer, store: ModelStore) {
  const partial = `${store.blobPath(digest)}-partial`;
  const place = await contentPlace(`${base}/blobs/${digest}`);
  const file = await open(partial, 'a', 0o644);
  try {
    let completed = (await file.stat()).size;
    let told = completed;
    if (completed > 0) yield completed;
    const response = await fetch(place, { headers: { range: `bytes=${completed}-` } });
    if (response.status !== 206 || !response.body) throw new Error(`status ${response.status}`);
    for await (const chunk of response.body) {
      await file.write(chunk);
      completed += chunk.length;
      if (completed - told < step && completed !== size) continue;
      told = completed;
      yield completed;
    }
    if (completed !== size) throw new Error('unexpected EOF');
  } finally {
    await file.close();
  }
  await rename(partial, store.blobPath(digest));
}

/** The original insists on a redirect to a place for content; a plain registry answers 200. */
async function contentPlace(url: string): Promise<URL> {
  const response = await fetch(url, { redirect: 'manual' });
  await response.body?.cancel();
  if (response.status >= 400) throw new Error(`status ${response.status}`);
  const location = response.headers.get('location');
  if (!location) throw new Error('http: no Location header in response');
  return new URL(location, url);
}

async function verify({ digest }: Layer, store: ModelStore): Promise<void> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(store.blobPath(digest))) hash.update(chunk);
  if (`sha256:${hash.digest('hex')}` === digest) return;
  await rm(store.blobPath(digest));
  throw new Error('digest mismatch, file must be downloaded again');
}
