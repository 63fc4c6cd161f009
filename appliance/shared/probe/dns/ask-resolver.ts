import type { ProbeNetwork, Route } from '../exchange/route.ts';
import { send } from '../exchange/send.ts';
import { type AddressType, decodeAddresses, encodeQuery } from './message.ts';

/** Responses are at most 64 KiB (RFC 8484, 6). */
const max = 65_535;
const type = 'application/dns-message';

/**
 * Returns the addresses of a name from a resolver with DNS over HTTPS (RFC 8484). Undefined if the
 * resolver cannot be reached or its response is invalid.
 */
export async function askResolver(
  resolver: URL,
  name: string,
  route: Route,
  network: ProbeNetwork,
): Promise<string[] | undefined> {
  const ask = async (kind: AddressType) => {
    const url = new URL(resolver);
    url.searchParams.set('dns', encodeQuery(name, kind).toString('base64url'));
    const call = { url, headers: { accept: type }, maxBytes: max };
    const { answer } = await send(call, route, network);
    const isMessage = answer?.status === 200 && answer.header('content-type') === type;
    return isMessage ? decodeAddresses(answer.body) : undefined;
  };
  const found = await Promise.all([ask('A'), ask('AAAA')]);
  return found.every((addresses) => addresses === undefined)
    ? undefined
    : found.flatMap((addresses) => addresses ?? []);
}
