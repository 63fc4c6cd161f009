import { isIP } from 'node:net';
import { LandfallError, type Problem } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import type { Host } from '../host/host.ts';
import { serverAddresses } from '../host/outside/addresses.ts';
import { isPublic, publicAddress } from '../host/outside/public-address.ts';
import { whoAnswers } from './ask-gateway.ts';
import type { Resolve } from './resolve-name.ts';

/** Which names lead to this server, and what is wrong with the others. */
interface NamesHere {
  readonly ready: readonly string[];
  /** TLS_NAME, where there are others. */
  readonly error: LandfallError | undefined;
}

/**
 * Looks whether names lead to this server's own gateway, so that an authority is asked only for
 * those that it can verify: each failure there counts against a limit (SPEC 3.4).
 */
export async function findNamesHere(
  { host, site }: { readonly host: Host; readonly site: Site },
  names: readonly string[],
  resolve: Resolve,
): Promise<NamesHere> {
  const own = await serverAddresses(host);
  const server: Here = {
    host,
    site,
    own: [...own.v4, ...own.v6],
    seen: await publicAddress(host, own),
    seen6: own.v6.find(isPublic),
  };
  const found = await Promise.all(
    names.map(async (name) => ({ name, problem: await judgeName(server, name, resolve) })),
  );
  const ready = found.filter(({ problem }) => !problem).map(({ name }) => name);
  const problems = found.map(({ problem }) => problem).filter((problem) => problem !== undefined);
  return { ready, error: problems.length > 0 ? notHere(problems) : undefined };
}

interface Here {
  readonly host: Host;
  readonly site: Site;
  readonly own: readonly string[];
  /** The address that the internet sees, where it is known. */
  readonly seen: string | undefined;
  readonly seen6: string | undefined;
}

async function judgeName(here: Here, name: string, resolve: Resolve): Promise<Problem | undefined> {
  if (isIP(name)) return await judgeAddress(here, name);
  const addresses = await resolve(name);
  if (addresses === undefined) return unknownName(here, name);
  if (addresses.length === 0) {
    return { message: `${name} has no A or AAAA record`, hint: `Make ${recordFor(here, name)}.` };
  }
  // An authority asks whichever it likes, so each of them must lead here.
  const problems = await Promise.all(addresses.map((address) => judgeRecord(here, name, address)));
  return problems.find((problem) => problem !== undefined);
}

async function judgeRecord(
  here: Here,
  name: string,
  address: string,
): Promise<Problem | undefined> {
  const answerer = await whoAnswers(here.host, name, address);
  if (answerer === 'gateway') return undefined;
  const type = isIP(address) === 6 ? 'AAAA' : 'A';
  if (here.own.includes(address)) return silentGateway(name, address);
  // Behind a translation a server often cannot reach itself by the address that the world sees.
  if (address === here.seen && answerer === 'nobody') return undefined;
  const what = answerer === 'nobody' ? 'where nobody answers on port 80' : 'another server';
  return {
    message: `${name} leads to ${address}, ${what}`,
    hint: `Instead of the record ${name} ${type} ${address}, make ${recordFor(here, name)}. If that address is this server's all the same: sudo landfall tls renew --force`,
  };
}

async function judgeAddress(here: Here, address: string): Promise<Problem | undefined> {
  if (!here.site.tls.server && !isPublic(address)) {
    return {
      message: `${address} is no address of the internet, and no public one of this server is known`,
      hint: 'An authority certifies public addresses only: use a host name and mode: acme, or mode: internal.',
    };
  }
  if (!here.own.includes(address)) return undefined;
  return (await whoAnswers(here.host, address, address)) === 'gateway'
    ? undefined
    : silentGateway(address, address);
}

function silentGateway(name: string, address: string): Problem {
  return {
    message: `${name} leads here, but this server's gateway does not answer on port 80 of ${address}`,
    hint: 'Look at: sudo docker logs landfall-gateway, and sudo landfall firewall list',
  };
}

/** Through a proxy no DNS is needed, so not having one says nothing. */
function unknownName({ site }: Here, name: string): Problem | undefined {
  if (site.route.mode !== 'direct') return undefined;
  return {
    message: `${name} cannot be looked up, because no DNS server answers`,
    hint: 'Look at /etc/resolv.conf and at the network.',
  };
}

/** The records to make, as they stand in a zone. */
function recordFor({ own, seen, seen6 }: Here, name: string): string {
  const v4 = [seen, ...own].find((address) => address !== undefined && isIP(address) === 4);
  const records = [...(v4 ? [`${name} A ${v4}`] : []), ...(seen6 ? [`${name} AAAA ${seen6}`] : [])];
  return `the record ${records.join(' and ')}`;
}

function notHere(problems: readonly Problem[]): LandfallError {
  const message =
    problems.length === 1
      ? 'a host name does not lead here yet'
      : `${problems.length} host names do not lead here yet`;
  return new LandfallError('TLS_NAME', message, {
    hint: 'New records are seen within 30 seconds to 2 minutes, as a rule; a timer looks for them and asks for the certificate then.',
    problems,
  });
}
