import { components } from '#contract/components.ts';
import { stackFolder } from '#contract/server-paths.ts';
import type { Site } from '#contract/site/site.ts';
import type { Host } from '../host/host.ts';
import { serverAddresses } from '../host/outside/addresses.ts';
import { isPublic, publicAddress } from '../host/outside/public-address.ts';
import { makePair } from './make-pair.ts';
import { judgePair } from './pair.ts';
import { readPair, writePair } from './pair-folder.ts';

/** The places of the gateway's certificates; the gateway's templates name the files in them. */
export const sitePlace = `${stackFolder}/gateway/tls/site`;
const otherPlace = `${stackFolder}/gateway/tls/other`;
/** The user in the gateway's container that reads the keys. */
const gatewayUser = components.gateway.user;

/** Long enough for a first boot with bad luck, short enough that nobody relies on it. Days. */
const placeholderDays = 90;
/** Nobody is meant to trust it, ever. */
const otherDays = 3650;

/**
 * The names under which browsers come: the site's host names, or the server's own addresses. An
 * authority of the internet certifies only those that the internet sees.
 */
export async function certificateNames(host: Host, { hosts, tls }: Site): Promise<string[]> {
  const names = Object.values(hosts).filter((name) => name !== undefined);
  if (names.length > 0) return [...new Set(names)];
  const own = await serverAddresses(host);
  const all = [...own.v4, ...own.v6];
  if (tls.mode !== 'acme-ip' || tls.server) return all;
  const seen = [await publicAddress(host, own), ...own.v6.filter(isPublic)];
  const outer = [...new Set(seen)].filter((address) => address !== undefined);
  return outer.length > 0 ? outer : all;
}

/** Whether the gateway could start: a readable pair in both places. */
export async function hasGatewayPairs(host: Host): Promise<boolean> {
  const pairs = await Promise.all([readPair(host, sitePlace), readPair(host, otherPlace)]);
  return pairs.every((pair) => pair && judgePair(pair, [], new Date()).length === 0);
}

/**
 * Makes self-signed certificates where the gateway has none that it could start with, so that
 * nothing waits for an authority.
 */
export async function ensureGatewayPairs(host: Host, site: Site): Promise<void> {
  const now = new Date();
  const other = await readPair(host, otherPlace);
  if (!other || judgePair(other, [], now).length > 0) {
    const wanted = { subject: 'nobody', names: [], days: otherDays };
    await writePair(host, otherPlace, await makePair(host, wanted), gatewayUser);
  }
  const current = await readPair(host, sitePlace);
  if (!current || judgePair(current, [], now).length > 0) {
    const names = await certificateNames(host, site);
    const wanted = { subject: 'landfall self-signed', names, days: placeholderDays };
    await installSitePair(host, await makePair(host, wanted));
  }
}

/** Puts a pair in place for the site's own names; the gateway reads it at its next reload. */
export async function installSitePair(host: Host, pair: { chain: string; key: string }) {
  await writePair(host, sitePlace, pair, gatewayUser);
}
