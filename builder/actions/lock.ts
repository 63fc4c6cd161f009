import { dirname, resolve } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { readAppliance } from '../config/appliance.ts';
import { freeDisk } from '../files/free-disk.ts';
import { bundleSizes, describeBundleSizes, lockedPlatforms } from '../lock/bundle-sizes.ts';
import { refuseDrift } from '../lock/ensure-lock.ts';
import { lockInputs } from '../lock/inputs.ts';
import { type Lock, unresolvedIn } from '../lock/lock.ts';
import { lockFailure } from '../lock/lock-failure.ts';
import { encodeLock, lockPathFor, readLock, writeLock } from '../lock/lock-file.ts';
import { resolveLock } from '../lock/resolve.ts';
import type { CommandContext } from './context.ts';
import { type NetworkFlags, withBuildContext } from './with-build-context.ts';

/** Options of `landfall lock`. */
export interface LockFlags extends NetworkFlags {
  readonly config: string;
  readonly check?: boolean;
  /** True: all entries; a string: one component, file or model. */
  readonly update?: true | string;
}

/**
 * Resolves the lock file and writes it, or compares it with the appliance.
 * @throws LandfallError LOCK_MISSING, LOCK_DRIFT, USAGE, and those of sources
 */
export async function lockAction(context: CommandContext, flags: LockFlags): Promise<void> {
  const config = resolve(context.cwd, flags.config);
  const path = lockPathFor(config);
  const inputs = lockInputs(await readAppliance(config));
  const previous = await readLock(path);
  if (flags.check) {
    if (!previous) throw missing(path);
    refuseDrift(path, inputs, previous);
    await say(context, flags, path, previous, false);
    return;
  }
  const update = namesToUpdate(flags, [
    ...Object.keys(inputs.images),
    ...Object.keys(inputs.files),
    ...Object.keys(inputs.models),
  ]);
  await withBuildContext(context, flags, async (buildContext, reporter) => {
    const { lock, failures } = await resolveLock(inputs, previous, update, {
      openSource: (image) => buildContext.openSource(image, config),
      measure: (urls, sha256) => buildContext.outside.measure(urls, { sha256 }),
      resolveModel: (name, manifest) => buildContext.models.registry.resolve(name, manifest),
      measureGguf: (source, sha256) => buildContext.models.measure(source, sha256, dirname(config)),
      reporter,
      now: new Date(),
    });
    const changed = !previous || sameBut(lock, previous) === false;
    if (changed) await writeLock(path, lock);
    if (failures.length > 0) throw lockFailure(path, failures);
    reporter.close();
    await say(context, flags, path, lock, changed);
  });
}

function namesToUpdate({ update }: LockFlags, known: readonly string[]): Set<string> {
  if (update === undefined) return new Set();
  if (update === true) return new Set(known);
  if (known.includes(update)) return new Set([update]);
  throw new LandfallError('USAGE', `--update ${update}: no such component, file or model`, {
    hint: `Choose from: ${known.join(', ')}.`,
  });
}

/** Returns whether two locks differ only in `created`. The file is then not rewritten. */
function sameBut(lock: Lock, previous: Lock): boolean {
  return encodeLock({ ...lock, created: previous.created }) === encodeLock(previous);
}

function missing(path: string): LandfallError {
  return new LandfallError('LOCK_MISSING', `${path} does not exist`, {
    hint: 'Run `landfall lock` and commit the lock file.',
  });
}

async function say(
  { stdout }: CommandContext,
  { json, quiet }: LockFlags,
  path: string,
  lock: Lock,
  changed: boolean,
): Promise<void> {
  const sizes = bundleSizes(lock, { platforms: lockedPlatforms(lock) });
  const unresolved = unresolvedIn(lock);
  if (json) {
    const { images, models } = lock;
    stdout.write(`${JSON.stringify({ path, changed, unresolved, sizes, images, models })}\n`);
    return;
  }
  if (quiet) return;
  const [images, models] = [lock.images, lock.models].map((each) => Object.keys(each).length);
  const counted = `${images} images, ${models} model${models === 1 ? '' : 's'}`;
  stdout.write(`${path} ${changed ? 'written' : 'is up to date'}: ${counted}\n`);
  for (const line of unresolved) stdout.write(`  unresolved: ${line}\n`);
  const free = await freeDisk(dirname(path));
  for (const line of describeBundleSizes(sizes, free)) stdout.write(`  ${line}\n`);
}
