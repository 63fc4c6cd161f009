import { composePlugin } from '#contract/bundle/bundle-paths.ts';
import { checkLayout, offsetsOf } from '#contract/bundle/layout.ts';
import { checkModels } from '#contract/bundle/model-files.ts';
import {
  type Release,
  type ReleaseBootstrapFile,
  type ReleaseDownload,
  type ReleaseFile,
  type ReleaseImage,
  type ReleaseModel,
  releaseSchema,
} from '#contract/bundle/release.ts';
import { type Architecture, localImage } from '#contract/bundle/release-name.ts';
import { LandfallError } from '#contract/errors.ts';
import { schemaProblems } from '#contract/text/json.ts';
import type { TrustedKeys } from '#contract/trust/keys.ts';
import type { Platform } from '../../base/platform.ts';
import type { Appliance } from '../../inputs/config/appliance.ts';
import { composePluginFile } from '../../inputs/lock/inputs.ts';
import { isGguf, type Lock, unresolved } from '../../inputs/lock/lock.ts';
import type { LocatedModel } from '../../inputs/models/model.ts';
import { bootstrapFiles } from '../bootstrap-files.ts';
import type { BundleEntry } from './entry.ts';
import type { LocatedImage } from './located-contents.ts';
import { lockedFile } from './plan-bundle.ts';
import type { Selected, SelectedModel } from './selection.ts';

interface FactInputs {
  readonly appliance: Appliance;
  readonly lock: Lock;
  readonly kind: 'thin' | 'full';
  readonly arch: Architecture;
  readonly components: readonly Selected[];
  /** Images in the bundle. */
  readonly images: readonly LocatedImage[];
  /** All models of the release. */
  readonly selected: readonly SelectedModel[];
  /** Models in the bundle. */
  readonly models: readonly LocatedModel[];
  readonly keys: TrustedKeys;
  readonly created: Date;
}

/**
 * Returns the contents of a release manifest except its files.
 * @throws LandfallError LOCK_UNRESOLVED when the Compose plugin of a thin bundle is not locked
 */
export function releaseFacts(inputs: FactInputs): ReleaseFacts {
  const { appliance, lock, kind, arch, components, images, keys, created } = inputs;
  const { selected, models } = inputs;
  const expires = new Date(created.getTime() + appliance.validity_days * 24 * 60 * 60 * 1000);
  const platform: Platform = `linux/${arch}`;
  return {
    product: appliance.name,
    version: appliance.version,
    arch,
    kind,
    created: instant(created),
    expires: instant(expires),
    updatesFrom: appliance.updates_from ?? null,
    dataEpoch: appliance.data_epoch,
    keys: {
      release: keys.release.map(({ spki }) => spki),
      recovery: keys.recovery?.spki ?? null,
    },
    images: components.map((component) => {
      const assembled = images.find(({ component: name, base }) => base && name === component.name);
      return assembled ? assembledFact(component, assembled) : imageFact(component, platform);
    }),
    models: selected.map((model) => modelFact(model, models)),
    downloads: kind === 'thin' ? [pluginDownload(lock, platform)] : [],
    bootstrap: bootstrapFiles().map(({ name, sha256 }) => ({ name, sha256 })),
  };
}

/** Formats a time in whole seconds, the precision of a tar header. */
function instant(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, 'Z');
}

/** Returns a value of the lock; null if it is not resolved. */
function known<T>(value: T): Exclude<T, typeof unresolved | undefined> | null {
  if (value === unresolved || value === undefined) return null;
  return value as Exclude<T, typeof unresolved | undefined>;
}

function imageFact({ name, optional, locked }: Selected, platform: Platform): ReleaseImage {
  const entry = locked.platforms[platform];
  return {
    component: name,
    reference: locked.image,
    index: locked.index,
    manifest: known(entry?.manifest),
    config: known(entry?.config),
    size: known(entry?.size),
    optional,
  };
}

/** Returns the measured digest and size of a model in the bundle, or the locked ones of another. */
function modelFact(
  { name, role, locked }: SelectedModel,
  models: readonly LocatedModel[],
): ReleaseModel {
  const located = models.find((each) => each.name === name);
  if (located) {
    const { manifest, size, shape } = located;
    const digest = manifest.descriptor.digest;
    return { name, role, manifest: digest, size, ...(shape ? { shape } : {}) };
  }
  if (isGguf(locked)) throw new Error(`${name} is a GGUF file, but is not in the bundle`);
  return { name, role, manifest: known(locked.manifest), size: known(locked.size) };
}

/** Returns the entry of an assembled image. No registry has it, so every bundle carries it. */
function assembledFact(
  { name, optional }: Selected,
  { index, image, base }: LocatedImage,
): ReleaseImage {
  const { manifest, config, layers } = image;
  const blobs = [manifest.descriptor, config.descriptor, ...layers];
  const distinct = new Map(blobs.map(({ digest, size }) => [digest, size]));
  return {
    component: name,
    reference: localImage({ component: name, index: index.descriptor.digest }),
    index: index.descriptor.digest,
    manifest: manifest.descriptor.digest,
    config: config.descriptor.digest,
    size: [...distinct.values()].reduce((sum, size) => sum + size, 0),
    optional,
    ...(base ? { base } : {}),
  };
}

/** Returns the download of the Compose plugin, which a thin bundle does not carry. */
function pluginDownload(lock: Lock, platform: Platform): ReleaseDownload {
  const { urls, size = null, sha256 } = lockedFile(lock, composePluginFile, platform);
  return { path: composePlugin, urls, size, sha256, executable: true };
}

/** A release without its files. The bootstrap is required here; only old releases lack it. */
export type ReleaseFacts = Omit<Release, 'files' | 'schema' | 'bootstrap'> & {
  readonly bootstrap: ReleaseBootstrapFile[];
};

/**
 * Returns the manifest of a bundle with these entries. The lock provides all digests and sizes, so
 * the manifest is complete before large blobs are fetched and can be at the start of the bundle.
 * @throws LandfallError CONFIG_INVALID when the result is not a valid release
 */
export function releaseOf(facts: ReleaseFacts, entries: readonly BundleEntry[]): Release {
  const offsets = offsetsOf(entries);
  const files: ReleaseFile[] = entries.map(({ path, size, sha256, executable }, index) => ({
    path,
    size,
    sha256,
    offset: offsets[index] ?? 0,
    executable,
  }));
  const release = releaseSchema.safeParse({ schema: 1, ...facts, files });
  if (!release.success) {
    throw new LandfallError('CONFIG_INVALID', 'the release is not valid', {
      hint: 'Shorten or rename the items above.',
      problems: schemaProblems(release.error.issues, (path) => nameOf(path, entries)),
    });
  }
  checkLayout(release.data);
  checkModels(release.data);
  return release.data;
}

/** Returns the path of a file for errors, instead of `files.7.path`. */
function nameOf(path: readonly PropertyKey[], entries: readonly BundleEntry[]): string {
  const [top, index] = path;
  const entry = top === 'files' && typeof index === 'number' ? entries[index] : undefined;
  return entry ? `file ${entry.path}` : path.join('.');
}
