import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { readAppliance } from '../config/appliance.ts';
import { makeFolder } from '../files/make-folder.ts';
import { inputsChecksum, lockInputs } from '../lock/inputs.ts';
import { type LockedImage, unresolved } from '../lock/lock.ts';
import { lockPathFor, readLock, writeLock } from '../lock/lock-file.ts';
import { exampleImages } from './example-images.ts';

interface ExampleConfig {
  /** Path of the appliance to build. */
  readonly config: string;
  /** How the example differs from the reference, for the user. */
  readonly notes: readonly string[];
}

/**
 * Returns the appliance of the quickstart, which needs a digest of every required image. It is the
 * reference, or a copy in `folder` with older images where the reference lock has no digest yet.
 * @throws LandfallError CONFIG_…, LOCK_INVALID, FILE_ACCESS, DISK_FULL
 */
export async function exampleConfig(
  reference: string,
  folder: string,
  images: Readonly<Record<string, LockedImage>> = exampleImages,
): Promise<ExampleConfig> {
  const lock = await readLock(lockPathFor(reference));
  const replaced = Object.entries(images).filter(
    ([name]) => lock?.images[name]?.index === unresolved,
  );
  if (!lock || replaced.length === 0) return { config: reference, notes: [] };

  await makeFolder(folder);
  const config = join(folder, 'appliance.yaml');
  const document = parseDocument(await readFile(reference, 'utf8'));
  for (const [name, { image }] of replaced) document.setIn(['components', name, 'image'], image);
  await writeFile(config, document.toString({ lineWidth: 0 }));
  const inputs = inputsChecksum(lockInputs(await readAppliance(config)));
  const imagesOfExample = { ...lock.images, ...Object.fromEntries(replaced) };
  await writeLock(lockPathFor(config), { ...lock, inputs, images: imagesOfExample });
  return {
    config,
    notes: replaced.map(
      ([name, { image }]) =>
        `${name}: the example names ${image}; a release gets ${lock.images[name]?.image}, after \`landfall lock\``,
    ),
  };
}
