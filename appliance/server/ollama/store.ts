import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { ModelName } from '#contract/bundle/model-name.ts';
import { LandfallError } from '#contract/errors.ts';
import { parseJson } from '#contract/text/json.ts';
import { type Digest, digestOf, hexOf, isDigest } from '#contract/trust/digest.ts';
import { isMissing, readRegular } from '#files/open-regular.ts';
import type { Host } from '../host/host.ts';

/** Docker's name of the volume in `compose.yaml`. */
const volume = 'landfall_engine-data';

/**
 * Returns the absolute path of Ollama's store; undefined before the volume exists.
 * @throws LandfallError COMMAND_FAILED
 */
export async function engineStore(host: Host): Promise<string | undefined> {
  const args = ['volume', 'inspect', '--format', '{{.Mountpoint}}', volume];
  const found = await host.runIfInstalled('docker', args, { accept: [1] });
  const mountpoint = found?.code === 0 ? found.stdout.trim() : '';
  return mountpoint.startsWith('/') ? join(mountpoint, 'models') : undefined;
}

/**
 * Returns the absolute path of Ollama's store, which must exist.
 * @throws LandfallError STACK_UNHEALTHY, COMMAND_FAILED
 */
export async function needEngineStore(host: Host): Promise<string> {
  const store = await engineStore(host);
  if (store !== undefined) return store;
  throw new LandfallError('STACK_UNHEALTHY', "Ollama's volume does not exist yet", {
    hint: {
      en: 'Run `sudo landfall first-boot`, which starts the stack and creates the volume.',
      zh: '运行 `sudo landfall first-boot`，它会启动各组件并创建数据卷。',
    },
  });
}

/** Returns the path of a model's manifest, relative to the store. */
export function manifestPath({ host, namespace, model, tag }: ModelName): string {
  return join('manifests', host, namespace, model, tag);
}

/** Returns the path of a blob, relative to the store. Ollama uses a dash instead of a colon. */
export function blobPath(digest: Digest): string {
  return join('blobs', `sha256-${hexOf(digest)}`);
}

/**
 * Returns the digest of a stored model's manifest; undefined unless all its blobs exist with the right
 * size. Does not verify digests, which takes minutes.
 * @param store result of {@link engineStore}
 */
export async function storedModel(
  host: Host,
  store: string,
  name: ModelName,
): Promise<Digest | undefined> {
  const bytes = await readManifest(host, store, manifestPath(name));
  const blobs = bytes && blobsOfModel(bytes);
  if (!blobs) return undefined;
  const present = await Promise.all(blobs.map((blob) => hasBlob(host, store, blob)));
  return present.every(Boolean) ? digestOf(bytes) : undefined;
}

/**
 * Reports whether the store has all blobs of a listed model, with the right size. Returns true if the
 * manifest is not in a known path, because its layout depends on Ollama's version.
 */
export async function hasBlobs(
  host: Host,
  store: string,
  name: ModelName,
  manifest: Digest,
): Promise<boolean> {
  for (const path of [manifestPath(name), blobPath(manifest)]) {
    const bytes = await readManifest(host, store, path);
    if (bytes === undefined || digestOf(bytes) !== manifest) continue;
    const present = (blobsOfModel(bytes) ?? []).map((blob) => hasBlob(host, store, blob));
    return (await Promise.all(present)).every(Boolean);
  }
  return true;
}

/** Returns the bytes of a manifest; undefined unless it is a regular file of acceptable size. */
async function readManifest(host: Host, store: string, path: string): Promise<Buffer | undefined> {
  const options = { follow: false, within: dirname(host.path(store)) };
  return await readRegular(host.path(store, path), maxManifest, options);
}

/** Returns whether the store has a blob with the right size. Does not verify its digest. */
export async function hasBlob(
  host: Host,
  store: string,
  { digest, size }: ModelBlob,
): Promise<boolean> {
  try {
    const found = await lstat(host.path(store, blobPath(digest)));
    return found.isFile() && found.size === size;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

const digest = z.string().refine((text): text is Digest => isDigest(text));
const layer = z.object({ digest, size: z.int().nonnegative() });
const manifestSchema = z.object({ config: layer, layers: z.array(layer).max(4096) });

/** A blob that a model's manifest names. */
export interface ModelBlob {
  readonly digest: Digest;
  /** Bytes. */
  readonly size: number;
}

/** Size limit of a manifest in bytes. Usual ones have a few kilobytes. */
export const maxManifest = 4 << 20;

/** Returns the distinct blobs that a manifest names; undefined for an invalid manifest. */
export function blobsOfModel(manifest: Buffer): ModelBlob[] | undefined {
  const parsed = manifestSchema.safeParse(parseJson(manifest));
  if (!parsed.success) return undefined;
  const { config, layers } = parsed.data;
  return [...new Map([config, ...layers].map((each) => [each.digest, each])).values()];
}
