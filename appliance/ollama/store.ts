import { constants } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModelName } from '#contract/bundle/model-name.ts';
import { LandfallError } from '#contract/errors.ts';
import { type Digest, digestOf, hexOf } from '#contract/trust/digest.ts';
import { isMissing } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { blobsOfModel, largestManifest, type ModelBlob } from './model-manifest.ts';

/** The volume of `compose.yaml` under the name that Docker gives it. */
const volume = 'landfall_engine-data';

/** A model as it lies in the engine's store. */
interface StoredModel {
  /** Of the manifest's bytes. */
  readonly digest: Digest;
  /** Bytes of its blobs. */
  readonly size: number;
}

/**
 * The folder of the engine's models, from the root folder; nothing before there is an engine.
 * @throws LandfallError COMMAND_FAILED
 */
export async function engineStore(host: Host): Promise<string | undefined> {
  const args = ['volume', 'inspect', '--format', '{{.Mountpoint}}', volume];
  try {
    const { code, stdout } = await host.run('docker', args, { accept: [1] });
    const mountpoint = stdout.trim();
    return code === 0 && mountpoint.startsWith('/') ? join(mountpoint, 'models') : undefined;
  } catch (error) {
    if (error instanceof LandfallError && error.code === 'TOOL_MISSING') return undefined;
    throw error;
  }
}

/** The same. @throws LandfallError STACK_UNHEALTHY where there is none yet; COMMAND_FAILED */
export async function needEngineStore(host: Host): Promise<string> {
  const store = await engineStore(host);
  if (store !== undefined) return store;
  throw new LandfallError('STACK_UNHEALTHY', 'the engine has no place for models yet', {
    hint: 'It is made when the stack is started: sudo landfall first-boot',
  });
}

/** Where Ollama has the manifest of a model, below its store. */
export function manifestPath({ host, namespace, model, tag }: ModelName): string {
  return join('manifests', host, namespace, model, tag);
}

/** Where Ollama has a blob, below its store: with a dash, in small letters. */
export function blobPath(digest: Digest): string {
  return join('blobs', `sha256-${hexOf(digest)}`);
}

/**
 * A model of the store, or nothing where it is not there with every blob in its full size. Whether
 * the content of a blob is right is not looked at: that takes minutes.
 * @param store as {@link engineStore} gives it
 */
export async function storedModel(
  host: Host,
  store: string,
  name: ModelName,
): Promise<StoredModel | undefined> {
  const bytes = await readManifest(host.path(store, manifestPath(name)));
  const blobs = bytes && blobsOfModel(bytes);
  if (!blobs) return undefined;
  const whole = await Promise.all(blobs.map((blob) => isThere(host, store, blob)));
  if (!whole.every(Boolean)) return undefined;
  return { digest: digestOf(bytes), size: blobs.reduce((sum, { size }) => sum + size, 0) };
}

/**
 * Whether a store has each blob of a model that the engine lists, in its full size. Where the engine
 * keeps the manifest in a way of its own, it is believed.
 */
export async function hasBlobs(
  host: Host,
  store: string,
  name: ModelName,
  manifest: Digest,
): Promise<boolean> {
  const places = [manifestPath(name), blobPath(manifest)].map((path) => host.path(store, path));
  for (const place of places) {
    const bytes = await readManifest(place);
    if (bytes === undefined || digestOf(bytes) !== manifest) continue;
    const there = (blobsOfModel(bytes) ?? []).map((blob) => isThere(host, store, blob));
    return (await Promise.all(there)).every(Boolean);
  }
  return true;
}

/** The bytes of a manifest; nothing where there is no plain file, or one that is too large. */
export async function readManifest(path: string): Promise<Buffer | undefined> {
  try {
    const file = await open(path, plainFile);
    try {
      const found = await file.stat();
      return found.isFile() && found.size <= largestManifest ? await file.readFile() : undefined;
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isMissing(error) || isLink(error)) return undefined;
    throw error;
  }
}

/** The engine writes to its store too: no link is followed, and no pipe keeps the reader waiting. */
const plainFile = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** What O_NOFOLLOW makes of a link; see open(2). */
function isLink(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ELOOP';
}

async function isThere(host: Host, store: string, { digest, size }: ModelBlob): Promise<boolean> {
  try {
    const found = await lstat(host.path(store, blobPath(digest)));
    return found.isFile() && found.size === size;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
