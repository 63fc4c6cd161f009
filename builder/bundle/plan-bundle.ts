import {
  composeFolder,
  composePlugin,
  nodeTarball,
  program,
  singBoxTarball,
} from '#contract/bundle/bundle-paths.ts';
import type { Architecture } from '#contract/bundle/release-name.ts';
import { LandfallError } from '#contract/errors.ts';
import type { Digest } from '#contract/trust/digest.ts';
import type { BlobPrefetch } from '../blobs/prefetch.ts';
import type { Stack } from '../compose/read-stack.ts';
import { composePluginFile, nodeFile, singBoxFile } from '../lock/inputs.ts';
import { type Lock, unresolved } from '../lock/lock.ts';
import type { LocatedModel } from '../models/located-model.ts';
import type { Platform } from '../platform.ts';
import type { OutsideFiles } from '../sources/outside-file.ts';
import { blobEntry, type Entry, fileEntry } from './entry.ts';
import { imageBlobs, type LocatedImage } from './image-blobs.ts';
import { imageLayout } from './image-layout.ts';
import { modelBlobs } from './model-blobs.ts';

interface PlanInputs {
  readonly version: string;
  readonly arch: Architecture;
  readonly kind: 'thin' | 'full';
  readonly lock: Lock;
  readonly stack: Stack;
  /** Files for documentation: the appliance, its lock and the SBOM. */
  readonly documents: ReadonlyArray<{ readonly path: string; readonly bytes: Buffer }>;
  readonly program: Buffer;
  /** Images to carry; a thin bundle carries only assembled images. */
  readonly images: readonly LocatedImage[];
  /** Models to carry. */
  readonly models: readonly LocatedModel[];
}

interface PlanDeps {
  readonly outside: OutsideFiles;
  readonly prefetch: Pick<BlobPrefetch, 'begin'>;
}

/**
 * Returns the files of a bundle in order: what a server reads first comes first, large blobs last.
 * Starts to prefetch the blobs; their arrival does not affect the order.
 * @throws LandfallError LOCK_UNRESOLVED when the SHA-256 of a file is not locked
 */
export async function planBundle(inputs: PlanInputs, deps: PlanDeps): Promise<Entry[]> {
  const { version, kind, stack, documents, images } = inputs;
  const small = [
    ...documents.map(({ path, bytes }) => fileEntry(path, bytes)),
    fileEntry(program, inputs.program),
    ...stack.files.map(({ path, bytes }) => fileEntry(`${composeFolder}/${path}`, bytes)),
  ];
  const node = await runtimeEntry(nodeTarball, nodeFile, inputs, deps);
  const plugin =
    kind === 'full' ? [await runtimeEntry(composePlugin, composePluginFile, inputs, deps)] : [];
  // Every bundle carries the proxy client: the server may have no route without it.
  const client = inputs.lock.files[singBoxFile]
    ? [await runtimeEntry(singBoxTarball, singBoxFile, inputs, deps)]
    : [];
  return [
    ...small,
    ...(images.length > 0 ? imageLayout(images, version) : []),
    node,
    ...client,
    ...plugin,
    ...imageBlobs(images, deps.prefetch),
    ...modelBlobs(inputs.models, deps.prefetch),
  ];
}

/** Returns an entry for a locked outside file. If its size is unknown, the file is fetched first. */
async function runtimeEntry(
  path: string,
  name: string,
  { lock, arch }: PlanInputs,
  { outside, prefetch }: PlanDeps,
): Promise<Entry> {
  const platform: Platform = `linux/${arch}`;
  const locked = lock.files[name]?.[platform];
  if (!locked) throw new Error(`the lock has no ${name} for ${platform}`);
  const { urls, sha256 } = locked;
  if (sha256 === unresolved) throw unknownFile(name, platform);
  const size = locked.size === unresolved ? undefined : locked.size;
  const obtain = (signal?: AbortSignal) =>
    outside.obtain({ urls, sha256, size }, `${name} for ${arch}`, { signal });
  const executable = path === composePlugin;
  if (size === undefined) return blobEntry(path, await obtain(), executable);
  const digest: Digest = `sha256:${sha256}`;
  prefetch.begin(digest, async (signal) => void (await obtain(signal)));
  return blobEntry(path, { digest, size }, executable);
}

function unknownFile(name: string, platform: Platform): LandfallError {
  return new LandfallError(
    'LOCK_UNRESOLVED',
    `the SHA-256 of ${name} for ${platform} is not locked`,
    { hint: 'Run `landfall lock`.' },
  );
}
