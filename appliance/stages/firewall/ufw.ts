import { clientEndpoints } from '#contract/site/network/effective-route.ts';
import { canonicalNetwork } from '#contract/site/network/openings.ts';
import { formatOpening, formatPorts, type Opening, parseOpening } from '#contract/site/opening.ts';
import { readText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import { parseSwarmInUfw, type SwarmInUfw, setUpSwarmInUfw } from './swarm.ts';
import type { FirewallFacts } from './table.ts';

export interface UfwOpening extends Opening {
  readonly limited: boolean;
  /** The rule as arguments of UFW, without its action: `9000`, `6000:6010/udp`, `OpenSSH`. */
  readonly rule: readonly string[];
  /** Whether the rule opens nothing else. */
  readonly sole: boolean;
}

export interface UfwStatus extends SwarmInUfw {
  readonly active: boolean;
  /** Whether incoming traffic is denied by default. */
  readonly closed: boolean;
  readonly openings: readonly UfwOpening[];
  /** Whether containers can reach the proxy client of this server. */
  readonly opensClient: boolean;
}

/** Returns the output of `ufw status verbose`. @throws LandfallError TOOL_MISSING */
export async function ufwStatusText(host: Host): Promise<string> {
  return (await host.run('ufw', ['status', 'verbose'])).stdout;
}

/**
 * Parses `ufw status verbose`. Rules of any source for IPv6 repeat those for IPv4 and are ignored, as are
 * the administrator's rules for a single interface, destination or port of the source.
 */
export function parseUfwStatus(text: string): UfwStatus {
  return {
    active: /^Status: active$/m.test(text),
    closed: /^Default: (?:deny|reject) \(incoming\)/m.test(text),
    openings: text.split('\n').flatMap(openingsOfRow),
    opensClient: text.split('\n').some((line) => line.startsWith(`${clientRow} `)),
    ...parseSwarmInUfw(text),
  };
}

const { address, port } = clientEndpoints.container;
/** Our table opens the client to containers only. UFW has no rules for all bridges of Docker. */
const clientRule = ['allow', 'proto', 'tcp', 'to', address, 'port', `${port}`];
const clientRow = `${address} ${port}/tcp`;

const row = /^(\S+)(?: \(([^()]*)\))? {2,}(ALLOW|LIMIT) IN {2,}Anywhere(?: {2,}.*)?$/;
/** A comment follows an IPv6 address of the full length after one space. */
const rowFrom = /^(\S+) {2,}ALLOW IN {2,}([0-9a-f.:]+(?:\/[0-9]+)?)(?: {2,}.*| # .*)?$/;

function openingsOfRow(line: string): UfwOpening[] {
  const [, from, source] = rowFrom.exec(line.trimEnd()) ?? [];
  if (from !== undefined && source !== undefined)
    return openingsFrom(from, canonicalNetwork(source));
  const [, to = '', profile, action] = row.exec(line.trimEnd()) ?? [];
  const openings = openingsTo(to);
  const limited = action === 'LIMIT';
  const behind = { limited, rule: [profile ?? to], sole: openings.length === 1 };
  return openings.map((opening) => ({ ...opening, ...behind }));
}

/** Rules with a limit, or an application profile, are of the administrator. */
function openingsFrom(to: string, from: string): UfwOpening[] {
  const openings = openingsTo(to);
  return openings.map((each) => {
    const opening = { ...each, from };
    return { ...opening, limited: false, rule: ufwRule(opening), sole: openings.length === 1 };
  });
}

/** Parses the ports of a row. */
function openingsTo(to: string): Opening[] {
  const [ports = '', protocol] = to.split('/');
  // `9000` without a protocol means both; `80,443/tcp` means two ports.
  const protocols = protocol === undefined ? ['tcp', 'udp'] : [protocol];
  return ports
    .split(',')
    .flatMap((port) => protocols.flatMap((name) => parseOpening(`${port}/${name}`) ?? []));
}

/**
 * Makes UFW allow SSH and the other openings and deny the rest, and enables it (SPEC 3.2). Existing
 * rules are not added again, because each command takes most of a second. A rule that opens more than
 * one of our ports does not count: its removal would close our port.
 */
export async function setUpUfw(
  host: Host,
  { ssh, openings, client, swarm }: Pick<FirewallFacts, 'ssh' | 'openings' | 'client' | 'swarm'>,
): Promise<void> {
  const now = parseUfwStatus(await ufwStatusText(host));
  const own = now.openings.filter(({ sole }) => sole);
  for (const port of ssh.filter((port) => !own.some((open) => allows(open, port)))) {
    await host.run('ufw', ['allow', await sshRule(host, port)]);
  }
  for (const opening of openings.filter((each) => !own.some((open) => equal(open, each)))) {
    await host.run('ufw', ['allow', ...ufwRule(opening)]);
  }
  if (client && !now.opensClient) await host.run('ufw', clientRule);
  if (!client && now.opensClient) await host.run('ufw', ['delete', ...clientRule]);
  await setUpSwarmInUfw(host, now, swarm);
  if (!now.closed) await host.run('ufw', ['default', 'deny', 'incoming']);
  if (!now.active) await host.run('ufw', ['--force', 'enable']);
}

/** A limit of UFW refuses the sixth connection in half a minute, which editors and scripts open. */
function allows(open: UfwOpening, port: number): boolean {
  return !open.limited && equal(open, { first: port, last: port, protocol: 'tcp' });
}

/** Returns whether two openings are equal. */
export function equal(one: Opening, other: Opening): boolean {
  return formatOpening(one) === formatOpening(other);
}

/**
 * Removes the UFW rules for exactly these openings. Missing rules are ignored, and rules that open
 * more are kept.
 */
export async function removeFromUfw(host: Host, openings: readonly Opening[]): Promise<void> {
  if (openings.length === 0) return;
  const now = parseUfwStatus(await ufwStatusText(host));
  const rules = now.openings.filter(
    (open) => open.sole && openings.some((opening) => equal(open, opening)),
  );
  for (const { limited, rule } of rules) {
    await host.run('ufw', ['delete', limited ? 'limit' : 'allow', ...rule]);
  }
}

/** Returns the command that removes a rule. */
export function deletion({ limited, rule }: UfwOpening): string {
  const words = rule.map((word) => (/\s/.test(word) ? `'${word}'` : word));
  return ['sudo ufw delete', limited ? 'limit' : 'allow', ...words].join(' ');
}

/** Prefers the application profile of sshd for port 22, because users recognise its name. */
async function sshRule(host: Host, port: number): Promise<string> {
  const profile = await readText(host, 'etc/ufw/applications.d/openssh-server');
  return port === 22 && profile?.includes('[OpenSSH]') ? 'OpenSSH' : `${port}/tcp`;
}

function ufwRule(opening: Opening): string[] {
  const { protocol, from } = opening;
  const text = formatPorts(opening).replace('-', ':');
  if (from === undefined) return [text];
  const [ports = ''] = text.split('/');
  return ['proto', protocol, 'from', from, 'to', 'any', 'port', ports];
}
