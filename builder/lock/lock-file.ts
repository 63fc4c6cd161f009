import { stringify } from 'yaml';
import { LandfallError } from '#contract/errors.ts';
import { replaceFile } from '#files/replace-file.ts';
import { explain } from '../config/explain.ts';
import { readYaml } from '../config/yaml/read.ts';
import { fileError } from '../files/file-error.ts';
import { type Lock, lockSchema } from './lock.ts';

const header = `# Written by \`landfall lock\`. Commit it: a build from this file is the same build everywhere.
# Change appliance.yaml, not this file.
`;

/** The lock's path beside an appliance: `appliance.lock.yaml` for `appliance.yaml`. */
export function lockPathFor(applianceFile: string): string {
  return applianceFile.replace(/(\.ya?ml)?$/, '.lock.yaml');
}

/**
 * Reads a lock, or undefined when there is none.
 * @throws LandfallError LOCK_INVALID with every problem, CONFIG_… for broken YAML
 */
export async function readLock(path: string): Promise<Lock | undefined> {
  const yaml = await readYaml(path).catch((error: unknown) => {
    if (error instanceof LandfallError && error.code === 'CONFIG_MISSING') return undefined;
    throw error;
  });
  if (!yaml) return undefined;
  const parsed = lockSchema.safeParse(yaml.value);
  if (parsed.success) return parsed.data;
  throw new LandfallError('LOCK_INVALID', `${path} is not a valid lock`, {
    hint: 'Make it again with `landfall lock`.',
    problems: explain(parsed.error, yaml, lockSchema),
  });
}

/**
 * Writes a lock in its one spelling.
 * @throws LandfallError FILE_ACCESS, DISK_FULL
 */
export async function writeLock(path: string, lock: Lock): Promise<void> {
  try {
    await replaceFile(path, lockFileText(lock));
  } catch (error) {
    throw fileError(error, path);
  }
}

/** What `landfall lock` writes: what the file is for, and the lock. */
export function lockFileText(lock: Lock): string {
  return `${header}\n${encodeLock(lock)}`;
}

/** The text of a lock: components and platforms sorted, a newline at the end. */
export function encodeLock(lock: Lock): string {
  return stringify(lock, {
    lineWidth: 0,
    // People read it: an entry says its own values.
    aliasDuplicateObjects: false,
    sortMapEntries: (a, b) => keyRank(a.key) - keyRank(b.key) || compare(a.key, b.key),
  });
}

/** The top keys in reading order; everything below them by name. */
function keyRank(key: unknown): number {
  const name = nameOf(key);
  const rank = [
    'version',
    'inputs',
    'created',
    'images',
    'image',
    'index',
    'urls',
    'manifest',
  ].indexOf(name);
  return rank === -1 ? Number.MAX_SAFE_INTEGER : rank;
}

function compare(a: unknown, b: unknown): number {
  return nameOf(a) < nameOf(b) ? -1 : 1;
}

function nameOf(key: unknown): string {
  return typeof key === 'object' && key !== null && 'value' in key
    ? String(key.value)
    : String(key);
}
