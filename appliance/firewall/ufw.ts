import { formatOpening, type Opening, parseOpening } from '#contract/site/opening.ts';
import { readText } from '../host/files.ts';
import type { Host } from '../host/host.ts';

/** A port that UFW lets in from anywhere. */
interface UfwOpening extends Opening {
  readonly limited: boolean;
  /** The rule behind it in UFW's words, without its verb: `9000`, `6000:6010/udp`, `OpenSSH`. */
  readonly rule: string;
  /** Whether that rule opens nothing else. */
  readonly sole: boolean;
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

const row = /^(\S+)(?: \(([^()]*)\))? {2,}(ALLOW|LIMIT) IN {2,}Anywhere(?: {2,}.*)?$/;

function openingsOfRow(line: string): UfwOpening[] {
  const [, to = '', profile, action] = row.exec(line.trimEnd()) ?? [];
  const [ports = '', protocol] = to.split('/');
  // `9000` without a protocol is both; `80,443/tcp` is two ports.
  const protocols = protocol === undefined ? ['tcp', 'udp'] : [protocol];
  const openings = ports
    .split(',')
    .flatMap((port) => protocols.flatMap((name) => parseOpening(`${port}/${name}`) ?? []));
  const behind = { limited: action === 'LIMIT', rule: profile ?? to, sole: openings.length === 1 };
  return openings.map((opening) => ({ ...opening, ...behind }));
}

/**
 * Makes UFW allow SSH, within its limit of connections, and what else is open, refuse the rest, and
 * run: SPEC 3.2. What it does already, it is not told again: each word takes it most of a second. A
 * rule of somebody else that opens more than a port of ours does not count: who removes it must not
 * close ours.
 */
export async function setUpUfw(
  host: Host,
  { ssh, openings }: { ssh: readonly number[]; openings: readonly Opening[] },
): Promise<void> {
  const now = parseUfwStatus(await ufwStatusText(host));
  const own = now.openings.filter(({ sole }) => sole);
  for (const port of ssh.filter((port) => !own.some((open) => limits(open, port)))) {
    await host.run('ufw', ['limit', await sshRule(host, port)]);
  }
  for (const opening of openings.filter((each) => !own.some((open) => equal(open, each)))) {
    await host.run('ufw', ['allow', ufwRule(opening)]);
  }
  if (!now.closed) await host.run('ufw', ['default', 'deny', 'incoming']);
  if (!now.active) await host.run('ufw', ['--force', 'enable']);
}

function limits(open: UfwOpening, port: number): boolean {
  return open.limited && equal(open, { first: port, last: port, protocol: 'tcp' });
}

/** Whether two openings are the same one. */
export function equal(one: Opening, other: Opening): boolean {
  return formatOpening(one) === formatOpening(other);
}

/**
 * Takes from a UFW that runs the rules for just these openings; what it does not have is fine, and a
 * rule that opens more stays.
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

/** What a person types to take a rule away. */
export function deletion({ limited, rule }: UfwOpening): string {
  const quoted = /\s/.test(rule) ? `'${rule}'` : rule;
  return `sudo ufw delete ${limited ? 'limit' : 'allow'} ${quoted}`;
}

/** The profile that comes with sshd names port 22; people know the rule by it. */
async function sshRule(host: Host, port: number): Promise<string> {
  const profile = await readText(host, 'etc/ufw/applications.d/openssh-server');
  return port === 22 && profile?.includes('[OpenSSH]') ? 'OpenSSH' : `${port}/tcp`;
}

function ufwRule(opening: Opening): string {
  return formatOpening(opening).replace('-', ':');
}
