import {
  composeFolder,
  composePlugin,
  modelBlobPath,
  nodeTarball,
  program,
  singBoxTarball,
} from '#contract/bundle/bundle-paths.ts';
import { type Architecture, localImage } from '#contract/bundle/release-name.ts';
import { LandfallError } from '#contract/errors.ts';
import { encodeCanonicalJson } from '#contract/text/json.ts';
import { say } from '#contract/text/language.ts';
import type { Digest } from '#contract/trust/digest.ts';
import { architectureOf, type Platform } from '../../base/platform.ts';
import type { Descriptor } from '../../inputs/blobs/blob.ts';
import type { BlobPrefetch } from '../../inputs/blobs/prefetch.ts';
import { composePluginFile, nodeFile, singBoxFile } from '../../inputs/lock/inputs.ts';
import { type Lock, unresolved } from '../../inputs/lock/lock.ts';
import type { LocatedModel } from '../../inputs/models/model.ts';
import type { Document } from '../../inputs/registry/document.ts';
import type { OutsideFiles } from '../../inputs/sources/outside-file.ts';
import type { ImageSource } from '../../inputs/sources/source.ts';
import type { Stack } from '../compose/read-stack.ts';
import { type BundleEntry, blobEntry, fileEntry, imageBlobPath } from './entry.ts';
import type { LocatedImage } from './located-contents.ts';

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
export async function planBundle(inputs: PlanInputs, deps: PlanDeps): Promise<BundleEntry[]> {
  const { kind, stack, documents, images } = inputs;
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
    ...(images.length > 0 ? imageLayout(images) : []),
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
): Promise<BundleEntry> {
  const { urls, sha256, size } = lockedFile(lock, name, `linux/${arch}`);
  const digest: Digest = `sha256:${sha256}`;
  const executable = path === composePlugin;
  if (size === undefined) {
    const measured = await outside.measure(urls, { sha256 });
    return blobEntry(path, { digest, size: measured.size }, executable);
  }
  const file = { urls, sha256, size };
  prefetch.begin(digest, (signal) =>
    outside.obtain(file, say(`${name} for ${arch}`, `${arch} 的 ${name}`), signal),
  );
  return blobEntry(path, { digest, size }, executable);
}

/**
 * Returns an outside file of the lock. Its size in bytes may be unknown.
 * @throws LandfallError LOCK_UNRESOLVED when its SHA-256 is not locked
 */
export function lockedFile(lock: Lock, name: string, platform: Platform) {
  const locked = lock.files[name]?.[platform];
  if (locked === undefined || locked.sha256 === unresolved) {
    const message = `the SHA-256 of ${name} for ${platform} is not locked`;
    throw new LandfallError('LOCK_UNRESOLVED', message, { hint: 'Run `landfall lock`.' });
  }
  const { urls, sha256, size } = locked;
  return { urls, sha256, size: size === unresolved ? undefined : size };
}

/** Documents in memory and blobs to fetch, of an image or a model. */
interface Carried {
  readonly documents: readonly Document[];
  readonly blobs: readonly Descriptor[];
  readonly fetch: ImageSource['fetch'];
}

/**
 * Returns blobs as entries without duplicates: documents first, then blobs to fetch, in this order.
 * Starts to prefetch the blobs.
 */
function blobsOf(
  all: readonly Carried[],
  pathOf: (digest: Digest) => string,
  prefetch: Pick<BlobPrefetch, 'begin'>,
): BundleEntry[] {
  const entries = new Map<Digest, BundleEntry>();
  for (const { descriptor, bytes } of all.flatMap(({ documents }) => documents)) {
    entries.set(descriptor.digest, fileEntry(pathOf(descriptor.digest), bytes));
  }
  for (const { blobs, fetch } of all) {
    for (const blob of blobs) {
      if (entries.has(blob.digest)) continue;
      entries.set(blob.digest, blobEntry(pathOf(blob.digest), blob));
      prefetch.begin(blob.digest, (signal) => fetch(blob, signal));
    }
  }
  return [...entries.values()];
}

function imageBlobs(images: readonly LocatedImage[], prefetch: PlanDeps['prefetch']) {
  const carried = images.map(({ index, image, source }) => ({
    documents: [index, image.manifest, image.config],
    blobs: image.layers,
    fetch: source.fetch.bind(source),
  }));
  return blobsOf(carried, imageBlobPath, prefetch);
}

/** Returns the entries of models, whose documents come first. Starts to prefetch their blobs. */
export function modelBlobs(models: readonly LocatedModel[], prefetch: PlanDeps['prefetch']) {
  const carried = models.map(({ manifest, made, blobs, fetch }) => ({
    documents: [manifest, ...made],
    blobs,
    fetch,
  }));
  return blobsOf(carried, modelBlobPath, prefetch);
}

/**
 * Returns the two files that make an unpacked full bundle an OCI image layout (OCI image-spec,
 * "Image Layout"), so that standard tools can read it. The index lists the manifests of the
 * bundle's platform under the image names of the server.
 */
function imageLayout(images: readonly LocatedImage[]): BundleEntry[] {
  const index = {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.index.v1+json',
    manifests: images.map(({ component, index, image }) => ({
      mediaType: image.manifest.descriptor.mediaType,
      digest: image.manifest.descriptor.digest,
      size: image.manifest.descriptor.size,
      platform: { architecture: architectureOf(image.platform), os: 'linux' },
      annotations: {
        'org.opencontainers.image.ref.name': localImage({
          component,
          index: index.descriptor.digest,
        }),
      },
    })),
  };
  return [
    fileEntry('oci-layout', Buffer.from('{"imageLayoutVersion":"1.0.0"}\n')),
    fileEntry('index.json', encodeCanonicalJson(index)),
  ];
}
