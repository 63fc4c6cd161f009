import { LandfallError } from '#contract/errors.ts';
import type { Platform } from '../../base/platform.ts';
import type { Reporter } from '../../base/progress/reporter.ts';
import { parseImageName } from '../sources/image-name.ts';
import type { ImageSource, PlatformImage, ResolvedImage } from '../sources/source.ts';
import type { LockInputs } from './inputs.ts';
import {
  type Lock,
  type LockedImage,
  type LockedPlatform,
  lockedReference,
  unresolved,
  unresolvedInImage,
} from './lock.ts';
import { type PendingEntry, refuseOther } from './pending-entry.ts';

/** Resolves images. */
export interface ImageDeps {
  readonly openSource: (image: string) => ImageSource;
  readonly reporter: Reporter;
}

const openPlatform: LockedPlatform = {
  manifest: unresolved,
  config: unresolved,
  size: unresolved,
};

/**
 * Returns the pending entry of an image. A complete entry of the previous lock is kept. A known
 * index is requested by digest, so that only `update` resolves the tag again.
 */
export function pendingImage(
  name: string,
  { images, platforms }: LockInputs,
  previous: Lock | undefined,
  update: boolean,
  deps: ImageDeps,
): PendingEntry<LockedImage> {
  const image = images[name] ?? '';
  const locked = previous?.images[name];
  const known = knownImage(image, platforms, locked?.image === image ? locked : undefined);
  const isComplete = unresolvedInImage('', known).length === 0;
  return {
    name,
    otherSource: otherSourceOf(image),
    known,
    resolve: async () => {
      if (isComplete && !update) return known;
      deps.reporter.note(`resolving ${image}`);
      return resolveImage(name, update ? knownImage(image, platforms) : known, platforms, deps);
    },
  };
}

/** Returns the locked values for these platforms; all others are unresolved. */
function knownImage(
  image: string,
  platforms: readonly Platform[],
  locked?: LockedImage,
): LockedImage {
  const entries = platforms.map((each) => [each, locked?.platforms[each] ?? openPlatform]);
  return { image, index: locked?.index ?? unresolved, platforms: Object.fromEntries(entries) };
}

async function resolveImage(
  name: string,
  known: LockedImage,
  platforms: readonly Platform[],
  { openSource }: ImageDeps,
): Promise<LockedImage> {
  const source = openSource(lockedReference(known));
  const resolved = await source.resolve(platforms).catch(async (error: unknown) => {
    throw await missingDigest(error, name, known, platforms, openSource);
  });
  const { digest: index } = resolved.index.descriptor;
  refuseOther(name, { index: known.index }, { index });
  const locked = resolved.platforms.map((entry) => {
    const found = lockedPlatform(entry);
    refuseOther(name, known.platforms[entry.platform], { ...found });
    return [entry.platform, found] as const;
  });
  return { image: known.image, index, platforms: Object.fromEntries(locked) };
}

/** Returns an error with the current digest of the tag if the registry lacks the locked digest. */
async function missingDigest(
  error: unknown,
  name: string,
  { image, index }: LockedImage,
  platforms: readonly Platform[],
  openSource: ImageDeps['openSource'],
): Promise<unknown> {
  const isMissing = error instanceof LandfallError && error.code === 'IMAGE_NOT_FOUND';
  if (!isMissing || index === unresolved) return error;
  let now: ResolvedImage;
  try {
    now = await openSource(image).resolve(platforms);
  } catch {
    return error;
  }
  const found = now.index.descriptor.digest;
  return new LandfallError('LOCK_DRIFT', 'the registry does not have the locked digest', {
    hint: `Check why it changed, then accept it with \`landfall lock --update ${name}\`.`,
    problems: [{ message: `index: locked ${index}, ${image} is now ${found}` }],
    cause: error,
  });
}

function lockedPlatform({ manifest, config, layers }: PlatformImage): LockedPlatform {
  // A layer that an image uses twice is downloaded once.
  const distinct = new Map(layers.map((layer) => [layer.digest, layer.size]));
  const layerBytes = [...distinct.values()].reduce((sum, size) => sum + size, 0);
  return {
    manifest: manifest.descriptor.digest,
    config: config.descriptor.digest,
    size: manifest.descriptor.size + config.descriptor.size + layerBytes,
  };
}

function otherSourceOf(image: string): string {
  const name = parseImageName(image);
  if (name.transport !== 'registry') return 'correct `image` in appliance.yaml';
  return `add a mirror with --mirror ${name.reference.registry}=<url>`;
}
