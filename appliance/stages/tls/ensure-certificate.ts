import { LandfallError } from '#contract/errors.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import {
  certificateNames,
  installSitePair,
  sitePairPath,
} from '../../server/certificates/gateway-pairs.ts';
import { internalPair } from '../../server/certificates/internal-authority.ts';
import { checkPair, type Pair } from '../../server/certificates/pair.ts';
import { readPair } from '../../server/certificates/pair-folder.ts';
import { readText, writeText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import { install } from '../../server/host/service.ts';
import type { Context } from '../../server/stage/stage.ts';
import { reloadGateway } from '../stack/compose.ts';
import { writeGateway } from '../stack/write-stack.ts';
import { acmePair, type CertificatePlan, type Urgency } from './acme-pair.ts';
import { recordFailure, storedAttempts } from './attempts.ts';
import { authorityOf } from './authority.ts';
import { publishAuthority } from './published-authority.ts';
import { type Resolve, systemResolver } from './resolve-name.ts';
import { certificateTimer } from './timer.ts';

/** Result of {@link ensureCertificate}. */
export interface Seen {
  /** Whether the gateway now serves another certificate. */
  readonly changed: boolean;
  /** Problems that remain, with hints. The timer retries. */
  readonly open: readonly LandfallError[];
}

/** SHA-256 of the certificate chain that the gateway has loaded. */
const servedMark = 'var/lib/landfall/tls-served';

/**
 * Requests, installs or renews the site's certificate, and reloads the gateway without closing
 * connections. Returns remaining problems instead of throwing them, because the timer retries.
 * @param resolve resolver of host names; default: that of the server
 * @throws LandfallError COMMAND_FAILED, TOOL_MISSING for a fault of the server itself
 */
export async function ensureCertificate(
  context: Context,
  urgency: Urgency = {},
  resolve?: Resolve,
): Promise<Seen> {
  const { host } = context;
  const names = resolve ?? (await systemResolver(host));
  const { pair, open, retryAt, asked } = await wantedPair(context, names, urgency);
  const current = await readPair(host, sitePairPath);
  if (pair && pair.chain !== current?.chain) await installSitePair(host, pair);
  const changed = pair !== undefined && (await serve(context, pair.chain));
  const [first] = open;
  if (!first) await storedAttempts.remove(host);
  else if (asked !== false) await recordFailure(host, first, { now: new Date(), retryAt });
  await install(host, certificateTimer(open.length > 0 ? 'waiting' : 'renewing'));
  return { changed, open };
}

/** Reloads the gateway. Writes the mark last, so that an interrupted run is repeated. */
async function serve(context: Context, chain: string): Promise<boolean> {
  const { host } = context;
  const mark = `${sha256Hex(chain)}\n`;
  if ((await readText(host, servedMark)) === mark) return false;
  // HSTS depends on the certificate.
  await writeGateway(context);
  await reloadGateway(host);
  await writeText(host, servedMark, mark);
  return true;
}

/** Returns whether the gateway has loaded a certificate chain. */
export async function isServed(host: Host, chain: string): Promise<boolean> {
  return (await readText(host, servedMark)) === `${sha256Hex(chain)}\n`;
}

/** Returns the certificate for the site's mode. Issues or requests it when it is due. */
async function wantedPair(
  context: Context,
  resolve: Resolve,
  urgency: Urgency,
): Promise<CertificatePlan> {
  const { host, site } = context;
  const authority = authorityOf(site);
  if (authority) return await acmePair(context, authority, resolve, urgency);
  if (site.tls.mode === 'custom') return await custom(context);
  if (site.tls.mode === 'off') return { pair: undefined, open: [] };
  await publishAuthority(host);
  const current = urgency.force ? undefined : await readPair(host, sitePairPath);
  return { pair: await internalPair(host, current, await certificateNames(host, site)), open: [] };
}

async function custom({ host, site }: Context): Promise<CertificatePlan> {
  try {
    const pair = await customPair(host, await certificateNames(host, site));
    return { pair, open: pair ? [] : [missingPair()] };
  } catch (error) {
    if (error instanceof LandfallError) return { pair: undefined, open: [error] };
    throw error;
  }
}

function missingPair(): LandfallError {
  return new LandfallError('TLS_MATERIAL', `no certificate in /${customFolder} yet`, {
    hint: {
      en: `Put the full chain into /${customFolder}/fullchain.pem and its key into /${customFolder}/privkey.pem; they are installed automatically, and a self-signed certificate is used until then.`,
      zh: `把完整证书链放入 /${customFolder}/fullchain.pem，私钥放入 /${customFolder}/privkey.pem；它们会自动安装，在此之前使用自签名证书。`,
    },
  });
}

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
    hint: {
      en: `Put the full chain into /${customFolder}/fullchain.pem and its key into /${customFolder}/privkey.pem, then run: sudo landfall first-boot`,
      zh: `把完整证书链放入 /${customFolder}/fullchain.pem，私钥放入 /${customFolder}/privkey.pem，再运行：sudo landfall first-boot`,
    },
    problems,
  });
}
