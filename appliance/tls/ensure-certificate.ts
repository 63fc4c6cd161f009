import type { LandfallError } from '#contract/errors.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import { installSitePair, sitePlace } from '../certificates/gateway-pairs.ts';
import { readPair } from '../certificates/pair-folder.ts';
import { readText, writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { reloadGateway } from '../stack/reload-gateway.ts';
import { writeGateway } from '../stack/write-gateway.ts';
import type { Context } from '../stage/stage.ts';
import type { Urgency } from './acme-pair.ts';
import { forgetFailures, noteFailure } from './attempts.ts';
import { type Resolve, systemResolver } from './resolve-name.ts';
import { installTimer } from './timer.ts';
import { wantedPair } from './wanted-pair.ts';

/** What came of it. */
export interface Seen {
  /** Whether the gateway serves another certificate than before. */
  readonly changed: boolean;
  /** What is still missing, with the remedy; a timer tries again. */
  readonly open: readonly LandfallError[];
}

/** Which certificate the gateway has read: SHA-256 of the chain. */
const servedMark = 'var/lib/landfall/tls-served';

/**
 * Looks after the site's certificate: asks for it, installs it, renews it, and has the gateway take
 * it without dropping anybody. What is missing is no error here, as a timer tries again.
 * @param resolve how names are looked up; as the server does when not given
 * @throws LandfallError COMMAND_FAILED, TOOL_MISSING when this server itself is at fault
 */
export async function ensureCertificate(
  context: Context,
  urgency: Urgency = {},
  resolve?: Resolve,
): Promise<Seen> {
  const { host } = context;
  const names = resolve ?? (await systemResolver(host));
  const { pair, open, retryAt, asked } = await wantedPair(context, names, urgency);
  const current = await readPair(host, sitePlace);
  if (pair && pair.chain !== current?.chain) await installSitePair(host, pair);
  const changed = pair !== undefined && (await serve(context, pair.chain));
  const [first] = open;
  if (!first) await forgetFailures(host);
  else if (asked !== false) await noteFailure(host, first, { now: new Date(), retryAt });
  await installTimer(host, open.length > 0 ? 'waiting' : 'renewing');
  return { changed, open };
}

/** The mark comes last: a run that ends in between is made good by the next one. */
async function serve(context: Context, chain: string): Promise<boolean> {
  const { host } = context;
  const mark = `${sha256Hex(chain)}\n`;
  if ((await readText(host, servedMark)) === mark) return false;
  // Whether HSTS may be sent depends on the certificate.
  await writeGateway(context);
  await reloadGateway(host);
  await writeText(host, servedMark, mark);
  return true;
}

/** Whether the gateway has read the certificate that is in place. */
export async function isServed(host: Host, chain: string): Promise<boolean> {
  return (await readText(host, servedMark)) === `${sha256Hex(chain)}\n`;
}
