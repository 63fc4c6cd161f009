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

/** Options that say whom to trust. */
export interface TrustFlags {
  readonly key: readonly string[];
  readonly recoveryKey?: string;
  readonly acceptNewKeys?: boolean;
}

/** The warning about a release that announces other keys than the given ones, with both lists. */
export function keyWarnings(release: Release, given: TrustedKeys): string[] {
  const change = keyChangeOf(release, given);
  return change
    ? [`the release announces other keys than the given ones: ${formatKeyChange(change)}`]
    : [];
}

/**
 * Reads the public keys that a person named, or the person's own where none was named.
 * @throws LandfallError USAGE when there is none; KEY_FORMAT, KEY_KIND, FILE_MISSING
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
    throw new LandfallError('USAGE', 'no key to trust was given', {
      hint: 'Add --key release.pub. Compare its key id with the one that the project publishes elsewhere.',
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
