import { clientEndpoints } from '#contract/site/network/effective-route.ts';
import { formatOpening, type Opening, parseOpening } from '#contract/site/opening.ts';
import { readText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import type { FirewallFacts } from './table.ts';

interface UfwOpening extends Opening {
  readonly limited: boolean;
  /** The rule in UFW's syntax, without its action: `9000`, `6000:6010/udp`, `OpenSSH`. */
  readonly rule: string;
  /** Whether the rule opens nothing else. */
  readonly sole: boolean;
}

export interface UfwStatus {
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
 * Parses `ufw status verbose`. Rules for IPv6 repeat those for IPv4 and are ignored, as are the
 * administrator's rules for a single interface or source.
 */
export function parseUfwStatus(text: string): UfwStatus {
  return {
    active: /^Status: active$/m.test(text),
    closed: /^Default: (?:deny|reject) \(incoming\)/m.test(text),
    openings: text.split('\n').flatMap(openingsOfRow),
    opensClient: text.split('\n').some((line) => line.startsWith(`${clientRow} `)),
  };
}

const { address, port } = clientEndpoints.container;
/** Our table opens the client to containers only. UFW has no rules for all bridges of Docker. */
const clientRule = ['allow', 'proto', 'tcp', 'to', address, 'port', `${port}`];
const clientRow = `${address} ${port}/tcp`;

const row = /^(\S+)(?: \(([^()]*)\))? {2,}(ALLOW|LIMIT) IN {2,}Anywhere(?: {2,}.*)?$/;

function openingsOfRow(line: string): UfwOpening[] {
  const [, to = '', profile, action] = row.exec(line.trimEnd()) ?? [];
  const [ports = '', protocol] = to.split('/');
  // `9000` without a protocol means both; `80,443/tcp` means two ports.
  const protocols = protocol === undefined ? ['tcp', 'udp'] : [protocol];
  const openings = ports
    .split(',')
    .flatMap((port) => protocols.flatMap((name) => parseOpening(`${port}/${name}`) ?? []));
  const behind = { limited: action === 'LIMIT', rule: profile ?? to, sole: openings.length === 1 };
  return openings.map((opening) => ({ ...opening, ...behind }));
}

/**
 * Makes UFW limit SSH, allow the other openings and deny the rest, and enables it (SPEC 3.2). Existing
 * rules are not added again, because each command takes most of a second. A rule that opens more than
 * one of our ports does not count: its removal would close our port.
 */
export async function setUpUfw(
  host: Host,
  { ssh, openings, client }: Pick<FirewallFacts, 'ssh' | 'openings' | 'client'>,
): Promise<void> {
  const now = parseUfwStatus(await ufwStatusText(host));
  const own = now.openings.filter(({ sole }) => sole);
  for (const port of ssh.filter((port) => !own.some((open) => limits(open, port)))) {
    await host.run('ufw', ['limit', await sshRule(host, port)]);
  }
  for (const opening of openings.filter((each) => !own.some((open) => equal(open, each)))) {
    await host.run('ufw', ['allow', ufwRule(opening)]);
  }
  if (client && !now.opensClient) await host.run('ufw', clientRule);
  if (!client && now.opensClient) await host.run('ufw', ['delete', ...clientRule]);
  if (!now.closed) await host.run('ufw', ['default', 'deny', 'incoming']);
  if (!now.active) await host.run('ufw', ['--force', 'enable']);
}

function limits(open: UfwOpening, port: number): boolean {
  return open.limited && equal(open, { first: port, last: port, protocol: 'tcp' });
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
    await host.run('ufw', ['delete', limited ? 'limit' : 'allow', rule]);
  }
}

/** Returns the command that removes a rule. */
export function deletion({ limited, rule }: UfwOpening): string {
  const quoted = /\s/.test(rule) ? `'${rule}'` : rule;
  return `sudo ufw delete ${limited ? 'limit' : 'allow'} ${quoted}`;
}

/** Prefers the application profile of sshd for port 22, because users recognise its name. */
async function sshRule(host: Host, port: number): Promise<string> {
  const profile = await readText(host, 'etc/ufw/applications.d/openssh-server');
  return port === 22 && profile?.includes('[OpenSSH]') ? 'OpenSSH' : `${port}/tcp`;
}

function ufwRule(opening: Opening): string {
  return formatOpening(opening).replace('-', ':');
}
