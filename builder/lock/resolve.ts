import { LandfallError } from '#contract/errors.ts';
import type { Platform } from '../platform.ts';
import type { ImageSource, PlatformImage } from '../sources/source.ts';
import { inputsChecksum, type LockInputs } from './inputs.ts';
import {
  type Lock,
  type LockedFile,
  type LockedImage,
  type LockedPlatform,
  unresolved,
  unresolvedIn,
  unresolvedInImage,
} from './lock.ts';
import { type ModelDeps, resolveModels } from './resolve-models.ts';

export interface ResolveDeps extends ModelDeps {
  readonly openSource: (image: string) => ImageSource;
  /** Finds out size and SHA-256 of an outside file by reading it once. */
  readonly measure: (urls: readonly string[]) => Promise<{ size: number; sha256: string }>;
  /** The instant that the lock will carry. */
  readonly now: Date;
}

/**
 * Makes a lock for these inputs. What a previous lock already answers is kept, digest for digest;
 * only what is new, changed, unresolved or named in `update` is looked up again.
 * @throws LandfallError of the first source that cannot answer
 */
export async function resolveLock(
  inputs: LockInputs,
  previous: Lock | undefined,
  update: ReadonlySet<string>,
  deps: ResolveDeps,
): Promise<Lock> {
  const images: Lock['images'] = {};
  for (const [name, image] of Object.entries(inputs.images)) {
    const kept = update.has(name) ? undefined : keptImage(previous?.images[name], image, inputs);
    images[name] = kept ?? (await resolveImage(image, inputs.platforms, deps));
  }
  const files: Lock['files'] = {};
  for (const [name, places] of Object.entries(inputs.files)) {
    const locked: Partial<Record<Platform, LockedFile>> = {};
    for (const platform of inputs.platforms) {
      const urls = [...(places[platform] ?? [])];
      const kept = update.has(name) ? undefined : keptFile(previous?.files[name]?.[platform], urls);
      locked[platform] = kept ?? { urls, ...(await deps.measure(urls)) };
    }
    files[name] = locked;
  }
  const created = deps.now.toISOString().replace(/\.\d+Z$/, 'Z');
  const models = await resolveModels(inputs, previous, update, deps);
  return { version: 1, inputs: inputsChecksum(inputs), created, images, files, models };
}

function keptImage(
  locked: LockedImage | undefined,
  image: string,
  inputs: LockInputs,
): LockedImage | undefined {
  if (!locked || locked.image !== image || unresolvedInImage('', locked).length > 0)
    return undefined;
  const platforms: LockedImage['platforms'] = {};
  for (const platform of inputs.platforms) {
    const entry = locked.platforms[platform];
    if (!entry) return undefined;
    platforms[platform] = entry;
  }
  return { ...locked, platforms };
}

function keptFile(locked: LockedFile | undefined, urls: readonly string[]): LockedFile | undefined {
  if (!locked || locked.urls.join(' ') !== urls.join(' ')) return undefined;
  return locked.size === unresolved || locked.sha256 === unresolved ? undefined : locked;
}

async function resolveImage(
  image: string,
  platforms: readonly Platform[],
  { openSource, reporter }: ResolveDeps,
): Promise<LockedImage> {
  reporter.note(`resolving ${image}`);
  const resolved = await openSource(image).resolve(platforms);
  const locked = resolved.platforms.map(
    (entry) => [entry.platform, lockedPlatform(entry)] as const,
  );
  return {
    image,
    index: resolved.index.descriptor.digest,
    platforms: Object.fromEntries(locked),
  };
}

function lockedPlatform({ manifest, config, layers }: PlatformImage): LockedPlatform {
  // An image may use one layer twice; it is downloaded once.
  const distinct = new Map(layers.map((layer) => [layer.digest, layer.size]));
  const layerBytes = [...distinct.values()].reduce((sum, size) => sum + size, 0);
  return {
    manifest: manifest.descriptor.digest,
    config: config.descriptor.digest,
    size: manifest.descriptor.size + config.descriptor.size + layerBytes,
  };
}

/** @throws LandfallError LOCK_UNRESOLVED listing all that is open. */
export function refuseUnresolved(lock: Lock): void {
  const open = unresolvedIn(lock);
  if (open.length === 0) return;
  throw new LandfallError('LOCK_UNRESOLVED', 'the lock leaves things unresolved', {
    hint: 'Resolve them with `landfall lock`, which asks the registries. Only a thin build without --frozen may go on without.',
    problems: open.map((message) => ({ message })),
  });
}
