import { LandfallError } from '#contract/errors.ts';
import { assembleImage } from '../assemble/assemble.ts';
import type { BlobStore } from '../blobs/store.ts';
import { unresolved } from '../lock/lock.ts';
import type { Platform } from '../platform.ts';
import type { ImageSource } from '../sources/source.ts';
import type { LocatedImage } from './image-blobs.ts';
import type { Scripts } from './program.ts';
import type { Selected } from './select-components.ts';

interface LocateDeps {
  readonly openLocked: (component: Selected) => ImageSource;
  readonly scripts: Scripts;
  readonly store: BlobStore;
}

/**
 * Looks up the locked images for one platform in parallel and assembles those with a program.
 * @throws LandfallError LOCK_DRIFT when a source does not match the lock, and what sources throw
 */
export async function locateImages(
  components: readonly Selected[],
  platform: Platform,
  { openLocked, scripts, store }: LocateDeps,
): Promise<LocatedImage[]> {
  return Promise.all(
    components.map(async (component) => {
      const source = openLocked(component);
      const { index, platforms } = await source.resolve([platform]);
      const [image] = platforms;
      if (!image) throw new Error(`${component.name}: the source returned no platform`);
      refuseOther(component, platform, index.descriptor.digest, image.manifest.descriptor.digest);
      const { name, program, locked } = component;
      if (!program) return { component: name, index, image, source };
      const base = { reference: locked.image, index: index.descriptor.digest };
      const script = scripts.get(program)?.bytes ?? Buffer.alloc(0);
      const assembled = await assembleImage({ ...base, image, source, program, script }, store);
      return { component: name, ...assembled, base };
    }),
  );
}

/** Registries are queried by digest. Files and Docker are not, so their result is compared here. */
function refuseOther(
  { name, locked }: Selected,
  platform: Platform,
  index: string,
  manifest: string,
): void {
  const lockedManifest = locked.platforms[platform]?.manifest ?? unresolved;
  const same = locked.index === index && [unresolved, manifest].includes(lockedManifest);
  if (same) return;
  throw new LandfallError('LOCK_DRIFT', `${locked.image} does not match the lock of ${name}`, {
    hint: `Restore the locked image, or accept the new one with \`landfall lock --update ${name}\`.`,
    problems: [{ message: `locked ${lockedManifest}, found ${manifest}` }],
  });
}
