import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Architecture } from '#contract/bundle/release-name.ts';
import { parseYaml } from '#yaml/parse.ts';
import { ownCompose } from '../config/appliance.ts';
import { parseAppliance } from '../config/parse-appliance.ts';
import { inputsChecksum, lockInputs } from '../lock/inputs.ts';
import type { Lock, LockedImage } from '../lock/lock.ts';
import { lockFileText, lockPathFor, readLock } from '../lock/lock-file.ts';
import { isModelFor, type ServerMemory } from './server-sizes.ts';

const reference = fileURLToPath(new URL('../../appliance/appliance.yaml', import.meta.url));

const clients = `
# The proxy client that the site requires. Its license is GPL-3.0-or-later.
clients:
  sing-box: {}
`;

/** What an own release is for. */
interface ReleaseNeeds {
  readonly architectures: readonly Architecture[];
  readonly memory: ServerMemory;
  readonly hasClient: boolean;
}

/**
 * Returns the text of a new appliance.yaml: the reference appliance with the path of its schema, for
 * the architectures, and with the models that fit. The other models become comments.
 */
export async function applianceTemplate(needs: ReleaseNeeds): Promise<string> {
  const text = await readFile(reference, 'utf8');
  const platforms = needs.architectures.map((arch) => `linux/${arch}`).join(', ');
  const own = text
    .replace(/\$schema=\S+/, '$schema=./.landfall/appliance.schema.json')
    .replace(/^platforms: .*$/m, `platforms: [${platforms}]`)
    .replaceAll(/^ {2}- (?:\{ name: )?([\w.:-]+).*$/gm, (line, model: string) =>
      isModelFor(needs.memory, model) ? line : line.replace(/^ {2}/, '  # '),
    );
  return needs.hasClient ? `${own}${clients}` : own;
}

/**
 * Returns the lock of an appliance of `applianceTemplate`: the entries of the reference, so that the
 * first build needs no registry. Its comments are dropped, because they apply only to the reference.
 * @throws LandfallError LOCK_INVALID
 */
export async function lockTemplate(applianceText: string): Promise<string> {
  const lock = await referenceLock();
  const fields = parseAppliance(parseYaml(Buffer.from(applianceText), 'appliance.yaml'));
  const inputs = lockInputs({ ...fields, compose: ownCompose });
  const { platforms } = inputs;
  const onlyPlatforms = <T extends object>(entries: T): T =>
    Object.fromEntries(
      Object.entries(entries).filter(([name]) => platforms.some((each) => each === name)),
    ) as T;
  const images = Object.entries(lock.images).map(([name, image]): [string, LockedImage] => [
    name,
    { ...image, platforms: onlyPlatforms(image.platforms) },
  ]);
  const files = Object.entries(lock.files).map(([name, file]) => [name, onlyPlatforms(file)]);
  const models = Object.entries(lock.models).filter(([name]) => inputs.models[name]);
  return lockFileText({
    ...lock,
    inputs: inputsChecksum(inputs),
    images: Object.fromEntries(images),
    files: Object.fromEntries(files),
    models: Object.fromEntries(models),
  });
}

/** Returns the lock of the reference appliance. @throws LandfallError LOCK_INVALID */
export async function referenceLock(): Promise<Lock> {
  const path = lockPathFor(reference);
  const lock = await readLock(path);
  if (!lock) throw new Error(`${path} is missing`);
  return lock;
}
