import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Release } from '#contract/bundle/release.ts';
import { LandfallError } from '#contract/errors.ts';
import { formatKeyChange, keyChangeOf } from '#contract/trust/key-change.ts';
import {
  formatKeyId,
  type PublicKey,
  readPublicKey,
  type TrustedKeys,
  trustedKeysOf,
} from '#contract/trust/keys.ts';
import { orFileError } from '#files/file-error.ts';
import { keyFolder, releaseKeyName } from '../bundle/sign/key-folder.ts';
import type { KeyInputs } from '../bundle/sign/private-key.ts';
import type { CommandContext } from './context.ts';
import type { TrustFlags } from './options.ts';
import { secretPrompt } from './prompts.ts';

/** Returns the inputs for a private key and its passphrase. The user is prompted only on a terminal. */
export function keyInputs(context: CommandContext): KeyInputs {
  const ask = secretPrompt(context);
  return { ...context, askPassphrase: ask && (() => ask('Key passphrase')) };
}

/** Resolves a path against the current folder; leaves `-` and `env:NAME` unchanged. */
export function keySource(
  { cwd, env }: CommandContext,
  { key: source }: { readonly key?: string },
): string {
  if (source === undefined) return join(keyFolder(env), `${releaseKeyName}.key`);
  return source === '-' || source.startsWith('env:') ? source : resolve(cwd, source);
}

/** Returns a warning with both lists if a release announces other keys than the given ones. */
export function keyWarnings(release: Release, accepted: TrustedKeys): string[] {
  const change = keyChangeOf(release, accepted);
  return change
    ? [`the release announces different keys than the given ones: ${formatKeyChange(change)}`]
    : [];
}

/**
 * Returns a warning if a release announces keys that are not accepted. Accepted keys can be old ones,
 * so they need not be announced.
 * @param name of the release, for the warning
 */
export function unknownKeyWarnings(
  name: string,
  { keys }: Release,
  accepted: TrustedKeys,
): string[] {
  const announced = trustedKeysOf(keys);
  const known = new Set([...accepted.release, accepted.recovery].map((key) => key?.id));
  const unknown = [...announced.release, ...(announced.recovery ? [announced.recovery] : [])]
    .filter(({ id }) => !known.has(id))
    .map(({ id }) => formatKeyId(id));
  return unknown.length > 0
    ? [`${name} announces keys that are not given: ${unknown.join('; ')}`]
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
      hint: {
        en: 'Add --key release.pub, and compare its key id with the published one.',
        zh: '加上 --key release.pub，并核对它的密钥指纹与公布的是否一致。',
      },
    });
  }
  return { release, recovery };
}

async function readKeyFile(path: string): Promise<PublicKey> {
  return readPublicKey(await orFileError(path, readFile(path, 'utf8')));
}
