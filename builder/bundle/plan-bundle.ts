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
import { encodeCanonicalJson } from '#contract/text/canonical-json.ts';
import type { Digest } from '#contract/trust/digest.ts';
import type { BlobPrefetch } from '../blobs/prefetch.ts';
import type { Stack } from '../compose/read-stack.ts';
import { composePluginFile, nodeFile, singBoxFile } from '../lock/inputs.ts';
import { type Lock, unresolved } from '../lock/lock.ts';
import type { LocatedModel } from '../models/model.ts';
import { architectureOf, type Platform } from '../platform.ts';
import type { OutsideFiles } from '../sources/outside-file.ts';
import type { PlatformImage } from '../sources/source.ts';
import { type BundleEntry, blobEntry, fileEntry } from './entry.ts';
import { imageBlobs, type LocatedImage } from './located-contents.ts';

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
): Promise<BundleEntry> {
  const platform: Platform = `linux/${arch}`;
  const locked = lock.files[name]?.[platform];
  if (!locked) throw new Error(`the lock has no ${name} for ${platform}`);
  const { urls, sha256 } = locked;
  if (sha256 === unresolved) throw unknownFile(name, platform);
  const digest: Digest = `sha256:${sha256}`;
  const executable = path === composePlugin;
  if (locked.size === unresolved) {
    const { size } = await outside.measure(urls, { sha256 });
    return blobEntry(path, { digest, size }, executable);
  }
  const file = { urls, sha256, size: locked.size };
  prefetch.begin(digest, (signal) => outside.obtain(file, `${name} for ${arch}`, signal));
  return blobEntry(path, { digest, size: locked.size }, executable);
}

function unknownFile(name: string, platform: Platform): LandfallError {
  return new LandfallError(
    'LOCK_UNRESOLVED',
    `the SHA-256 of ${name} for ${platform} is not locked`,
    { hint: 'Run `landfall lock`.' },
  );
}

/**
 * Returns the blobs of models as entries without duplicates: documents first, then blobs to fetch,
 * in the order of the models. Starts to prefetch the blobs.
 */
export function modelBlobs(
  models: readonly LocatedModel[],
  prefetch: Pick<BlobPrefetch, 'begin'>,
): BundleEntry[] {
  const entries = new Map<Digest, BundleEntry>();
  for (const { manifest, made } of models) {
    for (const { descriptor, bytes } of [manifest, ...made]) {
      entries.set(descriptor.digest, fileEntry(modelBlobPath(descriptor.digest), bytes));
    }
  }
  for (const { blobs, fetch } of models) {
    for (const blob of blobs) {
      if (entries.has(blob.digest)) continue;
      entries.set(blob.digest, blobEntry(modelBlobPath(blob.digest), blob));
      prefetch.begin(blob.digest, (signal) => fetch(blob, signal));
    }
  }
  return [...entries.values()];
}

/**
 * Returns the two files that make an unpacked full bundle an OCI image layout (OCI image-spec,
 * "Image Layout"), so that standard tools can read it. The index lists the manifests of the
 * bundle's platform under the image names of the server.
 */
function imageLayout(
  images: ReadonlyArray<{ readonly component: string; readonly image: PlatformImage }>,
  version: string,
): BundleEntry[] {
  const index = {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.index.v1+json',
    manifests: images.map(({ component, image }) => ({
      mediaType: image.manifest.descriptor.mediaType,
      digest: image.manifest.descriptor.digest,
      size: image.manifest.descriptor.size,
      platform: ociPlatform(image.platform),
      annotations: { 'org.opencontainers.image.ref.name': localImage(component, version) },
    })),
  };
  return [
    fileEntry('oci-layout', Buffer.from('{"imageLayoutVersion":"1.0.0"}\n')),
    fileEntry('index.json', encodeCanonicalJson(index)),
  ];
}

function ociPlatform(platform: Platform): { architecture: string; os: string } {
  return { architecture: architectureOf(platform), os: 'linux' };
}
