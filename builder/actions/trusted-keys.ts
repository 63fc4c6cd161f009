import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Release } from '#contract/bundle/release.ts';
import { LandfallError } from '#contract/errors.ts';
import { formatKeyChange, keyChangeOf } from '#contract/trust/key-change.ts';
import type { TrustedKeys } from '#contract/trust/keys.ts';
import { type PublicKey, readPublicKey } from '#contract/trust/keys.ts';
import { fileError } from '../files/file-error.ts';
import { keyFolder, releaseKeyName } from '../sign/key-folder.ts';
import type { CommandContext } from './context.ts';

/** Options for trusted keys. */
export interface TrustFlags {
  readonly key: readonly string[];
  readonly recoveryKey?: string;
  readonly acceptNewKeys?: boolean;
}

/** Returns a warning with both lists if a release announces other keys than the given ones. */
export function keyWarnings(release: Release, given: TrustedKeys): string[] {
  const change = keyChangeOf(release, given);
  return change
    ? [`the release announces different keys than the given ones: ${formatKeyChange(change)}`]
    : [];
}

/**
 * Reads the public keys of the options, or the user's own release key if no key is given.
 * @throws LandfallError USAGE when there is no key; KEY_FORMAT, KEY_KIND, FILE_MISSING
 */
export async function readTrustedKeys(
  { cwd, env }: CommandContext,
  { key, recoveryKey }: TrustFlags,
): Promise<TrustedKeys> {
  const load = (path: string) => readKeyFile(resolve(cwd, path));
  const own = join(keyFolder(env), `${releaseKeyName}.pub`);
  const isBare = key.length === 0 && recoveryKey === undefined;
  const release = await Promise.all((isBare && existsSync(own) ? [own] : key).map(load));
  const recovery = recoveryKey === undefined ? undefined : await load(recoveryKey);
  if (release.length === 0 && !recovery) {
    throw new LandfallError('USAGE', 'no trusted key is given', {
      hint: 'Add --key release.pub, and compare its key id with the published one.',
    });
  }
  return { release, recovery };
}

async function readKeyFile(path: string): Promise<PublicKey> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw fileError(error, path);
  }
  return readPublicKey(text);
}
