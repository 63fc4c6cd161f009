import { components } from '#contract/components.ts';
import { stackFolder } from '#contract/server-paths.ts';
import { asksAuthority } from '#contract/site/certificates/tls.ts';
import { hostNames } from '#contract/site/enabled.ts';
import { tunnelAddress } from '#contract/site/network/access.ts';
import type { Site } from '#contract/site/site.ts';
import type { Host } from '../host/host.ts';
import { isPublic, publicAddress, serverAddresses } from '../host/outside/addresses.ts';
import { makePair } from './make-pair.ts';
import { checkPair } from './pair.ts';
import { readPair, writePair } from './pair-folder.ts';

/** Folders of the gateway's certificates. The gateway's templates refer to the files in them. */
export const sitePairPath = `${stackFolder}/gateway/tls/site`;
const otherPairPath = `${stackFolder}/gateway/tls/other`;
/** UID of the gateway's container, which reads the keys. */
const gatewayUser = components.gateway.user;

/** Days. Long enough for a slow first boot, too short for permanent use. */
const placeholderDays = 90;
/** Days. For unknown host names; not meant to be trusted. */
const otherDays = 3650;

/**
 * Returns the names for the certificate: those of the site, its address in the tunnel, or the server's
 * addresses. A public authority certifies only public addresses.
 */
export async function certificateNames(
  host: Host,
  { hosts, tls, access }: Site,
): Promise<string[]> {
  const names = asksAuthority(tls) && tls.names ? tls.names : hostNames({ hosts });
  if (names.length > 0) return [...new Set(names)];
  if (access) return [tunnelAddress(access)];
  const own = await serverAddresses(host);
  const all = [...own.v4, ...own.v6];
  if (tls.mode !== 'acme-ip' || tls.server) return all;
  const seen = [await publicAddress(host, own), ...own.v6.filter(isPublic)];
  const outer = [...new Set(seen)].filter((address) => address !== undefined);
  return outer.length > 0 ? outer : all;
}

/** Reports whether the gateway can start: both pairs exist and are valid. */
export async function hasGatewayPairs(host: Host): Promise<boolean> {
  return (await isValid(host, sitePairPath)) && (await isValid(host, otherPairPath));
}

async function isValid(host: Host, path: string): Promise<boolean> {
  const pair = await readPair(host, path);
  return pair !== undefined && checkPair(pair, [], new Date()).length === 0;
}

/**
 * Creates self-signed certificates if the gateway has no valid ones, so that it can start before an
 * authority issues a certificate.
 */
export async function ensureGatewayPairs(host: Host, site: Site): Promise<void> {
  if (!(await isValid(host, otherPairPath))) {
    const request = { subject: 'nobody', names: [], days: otherDays };
    await writePair(host, otherPairPath, await makePair(host, request), gatewayUser);
  }
  if (!(await isValid(host, sitePairPath))) {
    const names = await certificateNames(host, site);
    const request = { subject: 'landfall self-signed', names, days: placeholderDays };
    await installSitePair(host, await makePair(host, request));
  }
}

/** Installs a pair for the site's names. The gateway loads it at its next reload. */
export async function installSitePair(host: Host, pair: { chain: string; key: string }) {
  await writePair(host, sitePairPath, pair, gatewayUser);
}
