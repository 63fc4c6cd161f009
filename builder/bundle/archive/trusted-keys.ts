import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import type { TrustedKeys } from '#contract/trust/keys.ts';
import { formatKeyId, readPublicKey } from '#contract/trust/keys.ts';
import type { Appliance } from '../../inputs/config/appliance.ts';
import type { SigningKey } from '../sign/private-key.ts';

/**
 * Returns the keys that a release announces: those of the appliance, or only the signing key.
 * @param file path of the appliance; key paths are relative to its folder
 * @throws LandfallError KEY_MISSING, KEY_FORMAT, KEY_KIND; CONFIG_INVALID when the signing key is not one of them
 */
export async function trustedKeys(
  { trust }: Pick<Appliance, 'trust'>,
  file: string,
  signer: SigningKey,
): Promise<TrustedKeys> {
  const keys = await applianceKeys({ trust }, file);
  if (!keys) return { release: [signer.public], recovery: undefined };
  const { release, recovery } = keys;
  const known = [...release, ...(recovery ? [recovery] : [])];
  if (known.some(({ id }) => id === signer.public.id)) return { release, recovery };
  throw new LandfallError('CONFIG_INVALID', 'the signing key is not one of the trusted keys', {
    hint: `Add ${formatKeyId(signer.public.id)} to trust.release in ${file}, or sign with a key from that list.`,
  });
}

/**
 * Returns the keys that an appliance names; undefined if it names none.
 * @param file path of the appliance; key paths are relative to its folder
 * @throws LandfallError KEY_MISSING, KEY_FORMAT, KEY_KIND
 */
export async function applianceKeys(
  { trust }: Pick<Appliance, 'trust'>,
  file: string,
): Promise<TrustedKeys | undefined> {
  if (!trust) return undefined;
  const load = async (source: string) => readPublicKey(await keyText(source, dirname(file)));
  return {
    release: await Promise.all(trust.release.map(load)),
    recovery: trust.recovery === undefined ? undefined : await load(trust.recovery),
  };
}

/** @param source a file, or the key in base64 */
async function keyText(source: string, folder: string): Promise<string> {
  if (/^[A-Za-z0-9+/]{100,}={0,2}$/.test(source)) return source;
  try {
    return await readFile(resolve(folder, source), 'utf8');
  } catch (cause) {
    throw new LandfallError('KEY_MISSING', `cannot read the public key ${source}`, {
      hint: 'Write paths under `trust` relative to the folder of appliance.yaml.',
      cause,
    });
  }
}
