import { LandfallError } from '#contract/errors.ts';
import { judgePair, type Pair } from '../certificates/pair.ts';
import { readPair } from '../certificates/pair-folder.ts';
import type { Host } from '../host/host.ts';

/** Where the owner puts a certificate of their own: `fullchain.pem` and `privkey.pem`. */
export const customPlace = 'etc/landfall/tls';

/**
 * The owner's own certificate, or nothing while it is not there.
 * @throws LandfallError TLS_MATERIAL with every reason why it cannot serve these names
 */
export async function customPair(host: Host, names: readonly string[]): Promise<Pair | undefined> {
  const pair = await readPair(host, customPlace);
  if (!pair) return undefined;
  const problems = judgePair(pair, names, new Date());
  if (problems.length === 0) return pair;
  throw new LandfallError('TLS_MATERIAL', `the certificate in /${customPlace} cannot be used`, {
    hint: `Put the full chain into /${customPlace}/fullchain.pem and its key into /${customPlace}/privkey.pem, then run: sudo landfall first-boot`,
    problems,
  });
}
