import { resolve } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import type { TrustedKeys } from '#contract/trust/keys.ts';
import { readLock } from '../../lock/lock-file.ts';
import { openBundleSide } from './open-bundle-side.ts';
import { openManifestSide } from './open-manifest-side.ts';
import type { LockSide, Side } from './side.ts';

/**
 * Opens one side of a comparison: `….json` is a release.json, `….yaml` a lock file, any other file a
 * bundle.
 * @param name the path as the user wrote it
 * @param keys trusted keys; without them, signatures are not verified
 * @throws LandfallError FILE_MISSING, FILE_ACCESS, LOCK_INVALID, CONFIG_…, BUNDLE_…; USAGE for a lock
 * file with keys
 */
export async function openSide(
  cwd: string,
  name: string,
  keys: TrustedKeys | undefined,
): Promise<Side> {
  const path = resolve(cwd, name);
  if (/\.ya?ml$/.test(name)) return await openLockSide(path, name, keys);
  const open = name.endsWith('.json') ? openManifestSide : openBundleSide;
  const side = await naming(name, open(path, name, keys));
  return { ...side, read: (...wanted) => naming(name, side.read(...wanted)) };
}

/** Names the file in an error of its content, because there are two files. */
async function naming<T>(name: string, result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (!(error instanceof LandfallError) || !error.code.startsWith('BUNDLE_')) throw error;
    const { code, message, hint, problems } = error;
    throw new LandfallError(code, `${name}: ${message}`, { hint, problems, cause: error });
  }
}

async function openLockSide(
  path: string,
  name: string,
  keys: TrustedKeys | undefined,
): Promise<LockSide> {
  if (keys) {
    throw new LandfallError('USAGE', `${name} is a lock file, which has no signature to verify`, {
      hint: 'Leave out --key and --recovery-key.',
    });
  }
  const lock = await readLock(path, 'Use an appliance.lock.yaml that `landfall lock` wrote.');
  if (!lock) {
    throw new LandfallError('FILE_MISSING', `${path} does not exist`, { hint: 'Check the path.' });
  }
  return { type: 'lock', name, lock, async [Symbol.asyncDispose]() {} };
}
