import { formatOpening, type Opening, parseOpening } from '#contract/opening.ts';
import { readText } from '../host/files.ts';
import type { Host } from '../host/host.ts';

/** A port that UFW lets in from anywhere. */
export interface UfwOpening extends Opening {
  readonly limited: boolean;
}

export interface UfwStatus {
  readonly active: boolean;
  /** Whether what no rule allows is refused. */
  readonly closed: boolean;
  readonly openings: readonly UfwOpening[];
}

/** What UFW says of itself: `ufw status verbose`. @throws LandfallError TOOL_MISSING */
export async function ufwStatusText(host: Host): Promise<string> {
  return (await host.run('ufw', ['status', 'verbose'])).stdout;
}

/**
 * Reads `ufw status verbose`. Rules of IPv6 repeat those of IPv4 and are passed over, as are rules
 * for one interface or one source: these are the owner's own.
 */
export function parseUfwStatus(text: string): UfwStatus {
  return {
    active: /^Status: active$/m.test(text),
    closed: /^Default: (?:deny|reject) \(incoming\)/m.test(text),
    openings: text.split('\n').flatMap(openingsOfRow),
  };
}

const row = /^(\S+)(?: \([^()]*\))? {2,}(ALLOW|LIMIT) IN {2,}Anywhere(?: {2,}.*)?$/;

function openingsOfRow(line: string): UfwOpening[] {
  const [, to = '', action] = row.exec(line.trimEnd()) ?? [];
  const [ports = '', protocol] = to.split('/');
  // `9000` without a protocol is both; `80,443/tcp` is two ports.
  const protocols = protocol === undefined ? ['tcp', 'udp'] : [protocol];
  return ports
    .split(',')
    .flatMap((port) => protocols.map((name) => parseOpening(`${port}/${name}`)))
    .flatMap((opening) => (opening ? [{ ...opening, limited: action === 'LIMIT' }] : []));
}

/**
 * Makes UFW allow SSH, within its limit of connections, and what else is open, refuse the rest, and
 * run: SPEC 3.2. What it does already, it is not told again: each word takes it most of a second.
 */
export async function setUpUfw(
  host: Host,
  { ssh, openings }: { ssh: readonly number[]; openings: readonly Opening[] },
): Promise<void> {
  const now = parseUfwStatus(await ufwStatusText(host));
  for (const port of ssh.filter((port) => !now.openings.some((open) => limits(open, port)))) {
    await host.run('ufw', ['limit', await sshRule(host, port)]);
  }
  for (const opening of openings.filter((own) => !now.openings.some((open) => equal(open, own)))) {
    await host.run('ufw', ['allow', ufwRule(opening)]);
  }
  if (!now.closed) await host.run('ufw', ['default', 'deny', 'incoming']);
  if (!now.active) await host.run('ufw', ['--force', 'enable']);
}

function limits(open: UfwOpening, port: number): boolean {
  return open.limited && equal(open, { first: port, last: port, protocol: 'tcp' });
}

function equal(one: Opening, other: Opening): boolean {
  return formatOpening(one) === formatOpening(other);
}

/** Takes back what was allowed; what was not is fine. */
export async function removeFromUfw(host: Host, opening: Opening): Promise<void> {
  await host.run('ufw', ['delete', 'allow', ufwRule(opening)]);
}

/** The profile that comes with sshd names port 22; people know the rule by it. */
async function sshRule(host: Host, port: number): Promise<string> {
  const profile = await readText(host, 'etc/ufw/applications.d/openssh-server');
  return port === 22 && profile?.includes('[OpenSSH]') ? 'OpenSSH' : `${port}/tcp`;
}

function ufwRule(opening: Opening): string {
  return formatOpening(opening).replace('-', ':');
}
