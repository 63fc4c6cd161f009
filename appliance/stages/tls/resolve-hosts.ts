import { isIP } from 'node:net';
import { LandfallError, type Problem } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import type { Host } from '../../server/host/host.ts';
import { isPublic, publicAddress, serverAddresses } from '../../server/host/outside/addresses.ts';
import { type GatewayPorts, gatewayPorts, probeGateway } from './probe-gateway.ts';
import type { Resolve } from './resolve-name.ts';

/** Names that resolve to this server, and the problems of the others. */
interface NamesHere {
  readonly ready: readonly string[];
  /** TLS_NAME if there are others. */
  readonly error: LandfallError | undefined;
  /** The DNS records that the others need. */
  readonly missing: readonly DnsRecord[];
}

export interface DnsRecord {
  readonly name: string;
  readonly type: 'A' | 'AAAA';
  /** Undefined if no address of this server is known. */
  readonly value: string | undefined;
}

/** A problem of a name, and the DNS records that solve it. */
interface NameProblem extends Problem {
  readonly records?: readonly DnsRecord[];
}

/**
 * Checks which names resolve to this server's gateway. Only these are requested from an authority,
 * because each failed verification counts against its rate limit (SPEC 3.4).
 */
export async function findNamesHere(
  { host, site }: { readonly host: Host; readonly site: Site },
  names: readonly string[],
  resolve: Resolve,
  ports: GatewayPorts = gatewayPorts,
): Promise<NamesHere> {
  const own = await serverAddresses(host);
  const server: Here = {
    host,
    site,
    ports,
    own: [...own.v4, ...own.v6],
    seen: await publicAddress(host, own),
    seen6: own.v6.find(isPublic),
  };
  const found = await Promise.all(
    names.map(async (name) => ({ name, problem: await checkName(server, name, resolve) })),
  );
  const ready = found.filter(({ problem }) => !problem).map(({ name }) => name);
  const problems = found.map(({ problem }) => problem).filter((problem) => problem !== undefined);
  const missing = problems.flatMap(({ records }) => records ?? []);
  return { ready, error: problems.length > 0 ? notHere(problems) : undefined, missing };
}

interface Here {
  readonly host: Host;
  readonly site: Site;
  readonly ports: GatewayPorts;
  readonly own: readonly string[];
  /** Public IPv4 address, if known. */
  readonly seen: string | undefined;
  readonly seen6: string | undefined;
}

async function checkName(
  here: Here,
  name: string,
  resolve: Resolve,
): Promise<NameProblem | undefined> {
  if (isIP(name)) return await checkAddress(here, name);
  const addresses = await resolve(name);
  if (addresses === undefined) return unknownName(here, name);
  if (addresses.length === 0) {
    const records = recordsFor(here, name);
    return {
      message: `${name} has no A or AAAA record`,
      hint: `Create ${describeRecords(records)}.`,
      records,
    };
  }
  // An authority may connect to any of the addresses, so all of them must be this server's.
  const problems = await Promise.all(addresses.map((address) => checkRecord(here, name, address)));
  return problems.find((problem) => problem !== undefined);
}

async function checkRecord(
  here: Here,
  name: string,
  address: string,
): Promise<NameProblem | undefined> {
  const { responder, network } = await probeGateway(here.host, name, address, here.ports);
  if (responder === 'gateway') return undefined;
  const type = isIP(address) === 6 ? 'AAAA' : 'A';
  if (here.own.includes(address)) return silentGateway(name, address);
  // Behind NAT a server often cannot connect to its own public address.
  if (address === here.seen && responder === 'none') return undefined;
  if (network) return behindNetwork(name, address, network);
  const what = responder === 'none' ? 'which does not respond on port 80' : 'another server';
  const records = recordsFor(here, name);
  return {
    message: `${name} resolves to ${address}, ${what}`,
    records,
    hint: `Replace the record ${name} ${type} ${address} by ${describeRecords(records)}. If the address does belong to this server, run: sudo landfall tls renew --force`,
  };
}

async function checkAddress(here: Here, address: string): Promise<Problem | undefined> {
  if (!here.site.tls.server && !isPublic(address)) {
    return {
      message: `${address} is not a public address, and no public address of this server is known`,
      hint: 'Use a host name with tls.mode: acme, or tls.mode: internal: authorities certify public addresses only.',
    };
  }
  if (!here.own.includes(address)) return undefined;
  const { responder } = await probeGateway(here.host, address, address, here.ports);
  return responder === 'gateway' ? undefined : silentGateway(address, address);
}

/** The record is right: the requests of the authority end at the network in front of this server. */
function behindNetwork(name: string, address: string, network: string): NameProblem {
  return {
    message: `${name} resolves to ${address} of ${network}, which does not forward requests for certificates to this server`,
    hint: `Let ${network} forward http://${name}/.well-known/acme-challenge/ and https:// alike to this server, or switch it off for this name ("DNS only"). Then run: sudo landfall tls renew`,
  };
}

function silentGateway(name: string, address: string): Problem {
  return {
    message: `${name} resolves to this server, but its gateway does not respond on port 80 of ${address}`,
    hint: 'See: sudo docker logs landfall-gateway, and sudo landfall firewall list',
  };
}

/** Returns the problem of a failed lookup. Servers behind a proxy may have no DNS, so that is ignored. */
function unknownName({ site }: Here, name: string): Problem | undefined {
  if (site.route.mode !== 'direct') return undefined;
  return {
    message: `cannot resolve ${name}: no DNS server responds`,
    hint: 'Check /etc/resolv.conf and the network.',
  };
}

/** Returns the DNS records of a name on this server. */
function recordsFor({ own, seen, seen6 }: Here, name: string): DnsRecord[] {
  const v4 = [seen, ...own].find((address) => address !== undefined && isIP(address) === 4);
  return [
    ...(v4 || !seen6 ? [{ name, type: 'A' as const, value: v4 }] : []),
    ...(seen6 ? [{ name, type: 'AAAA' as const, value: seen6 }] : []),
  ];
}

/** Returns a DNS record in the format of zone files. */
export function formatRecord({ name, type, value }: DnsRecord): string {
  return `${name} ${type} ${value ?? '<public address of this server>'}`;
}

function describeRecords(records: readonly DnsRecord[]): string {
  return `the record ${records.map(formatRecord).join(' and ')}`;
}

function notHere(problems: readonly Problem[]): LandfallError {
  const message =
    problems.length === 1
      ? 'a host name does not resolve to this server yet'
      : `${problems.length} host names do not resolve to this server yet`;
  return new LandfallError('TLS_NAME', message, {
    hint: 'Create the records above and wait: new records usually take 30 seconds to 2 minutes, and the certificate is then requested automatically.',
    problems: problems.map(({ message: text, hint }) => ({ message: text, hint })),
  });
}
