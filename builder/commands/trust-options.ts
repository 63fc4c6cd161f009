import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { formatKeyChange, keyChangeOf } from '#contract/key-change.ts';
import { type PublicKey, readPublicKey } from '#contract/keys.ts';
import type { Release } from '#contract/release.ts';
import type { TrustedKeys } from '#contract/trust.ts';
import { fileError } from '../files/file-error.ts';
import { styleFor } from '../report/style.ts';
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
 * Reads the public keys that a person named.
 * @throws LandfallError USAGE when there is none; KEY_FORMAT, KEY_KIND, FILE_MISSING
 */
export async function readTrustedKeys(
  { cwd }: CommandContext,
  { key, recoveryKey }: TrustFlags,
): Promise<TrustedKeys> {
  const load = (path: string) => readKeyFile(resolve(cwd, path));
  const release = await Promise.all(key.map(load));
  const recovery = recoveryKey === undefined ? undefined : await load(recoveryKey);
  if (release.length === 0 && !recovery) {
    throw new LandfallError('USAGE', 'no key to trust was given', {
      hint: 'Add --key release.pub. Compare its key id with the one that the project publishes elsewhere.',
    });
  }
  return { release, recovery };
}

/** Warnings go to stderr, so that standard output stays the result. */
export function writeWarnings({ stderr, env }: CommandContext, warnings: readonly string[]): void {
  const style = styleFor(stderr, env);
  for (const warning of warnings) stderr.write(`${style('yellow', 'warning:')} ${warning}\n`);
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
