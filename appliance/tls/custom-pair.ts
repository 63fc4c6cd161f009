import { LandfallError } from '#contract/errors.ts';
import { checkPair, type Pair } from '../certificates/pair.ts';
import { readPair } from '../certificates/pair-folder.ts';
import type { Host } from '../host/host.ts';

/** Folder of the administrator's own certificate: `fullchain.pem` and `privkey.pem`. */
export const customFolder = 'etc/landfall/tls';

/**
 * Returns the administrator's own certificate, or undefined if it is missing.
 * @throws LandfallError TLS_MATERIAL with every reason why it is not valid for these names
 */
export async function customPair(host: Host, names: readonly string[]): Promise<Pair | undefined> {
  const pair = await readPair(host, customFolder);
  if (!pair) return undefined;
  const problems = checkPair(pair, names, new Date());
  if (problems.length === 0) return pair;
  throw new LandfallError('TLS_MATERIAL', `invalid certificate in /${customFolder}`, {
    hint: `Put the full chain into /${customFolder}/fullchain.pem and its key into /${customFolder}/privkey.pem, then run: sudo landfall first-boot`,
    problems,
  });
}
