import { LandfallError } from '#contract/errors.ts';
import { openingsOfSite } from '#contract/site/network/openings.ts';
import {
  formatOpening,
  formatPorts,
  type Opening,
  overlaps,
  parseOpening,
} from '#contract/site/opening.ts';
import type { Site } from '#contract/site/site.ts';
import { inLanguage } from '#contract/text/language.ts';
import type { Host } from '../../server/host/host.ts';
import { withChangeLock } from '../../server/host/lock/run-lock.ts';
import { changeFirewall, closedBy, type FirewallChange } from './apply.ts';
import {
  type FirewallSettings,
  firewallFacts,
  normalise,
  openingsOf,
  readSettings,
  sshOpening,
} from './facts.ts';
import { equal } from './ufw.ts';

/** Time for the administrator to log in again and confirm. Seconds. */
export const confirmWithin = 300;

interface Changed {
  /** Whether the change closes a port, so it is reverted unless it is confirmed. */
  readonly unconfirmed: boolean;
  /** Which of the given ports are still open. */
  readonly open: readonly Opening[];
  /** Whether it was open already, and nothing was changed. */
  readonly isSame: boolean;
}

/**
 * Opens or closes ports for the administrator, in UFW and in our table.
 * @param text ports and their protocol: `8443/tcp`, `6000-6010/udp`
 * @throws LandfallError USAGE for invalid ports, ports of SSH, or part of an open range;
 * FIREWALL_INVALID, UNCONFIRMED, ALREADY_RUNNING
 */
export async function changeOpening(
  host: Host,
  site: Site,
  kind: 'allow' | 'deny',
  text: string | undefined,
): Promise<Changed> {
  // `ufw allow 22` is a habit.
  const bare = kind === 'allow' ? parseOpening(`${text}/tcp`) : undefined;
  if (bare === undefined) readOpening(text);
  return await withChangeLock(host, async () => {
    const before = await readSettings(host);
    const now = await firewallFacts(host, site, before);
    const { ssh } = now;
    const openAlready = [...ssh.map(sshOpening), ...(bare ? now.openings : [])];
    const opening =
      bare && openAlready.some((each) => equal(each, bare)) ? bare : readOpening(text);
    if (kind === 'allow' && openAlready.some((each) => equal(each, opening))) {
      return { unconfirmed: false, open: [opening], isSame: true };
    }
    const settings = editSettings(before, { kind, opening }, { site, ssh });
    const facts = await firewallFacts(host, site, settings);
    const closes = kind === 'deny' ? { closes: opening } : {};
    const unconfirmed = await changeByHand(host, { facts, settings, ...closes });
    return { unconfirmed, open: stillOpen(opening, facts), isSame: false };
  });
}

/**
 * Changes the firewall interactively. A change that only opens ports is permanent. One that closes
 * any port, including a former port of sshd, is reverted unless a new login confirms it within
 * {@link confirmWithin}.
 * @returns whether a confirmation is needed
 * @throws LandfallError FIREWALL_INVALID, UNCONFIRMED
 */
export async function changeByHand(host: Host, change: FirewallChange): Promise<boolean> {
  // A port that is closed already needs no confirmation, even if UFW allows it.
  const closes = (await closedBy(host, change.facts)).length > 0;
  const subject = { en: 'the change of the firewall', zh: '防火墙的更改' };
  await changeFirewall(host, change, closes ? confirmWithin : undefined, subject);
  return closes;
}

interface Request {
  readonly kind: 'allow' | 'deny';
  readonly opening: Opening;
}

/**
 * Returns the settings after a request. Allowed ports are removed from the denied ones and vice
 * versa. Ports that are open by default or by the site are closed by an entry in `deny`. An entry can
 * always be removed as it was added; {@link stillOpen} returns what is open afterwards. Ports that the
 * site opens for some clients are closed and reopened for these only.
 * @throws LandfallError USAGE for ports of SSH, ports that are part of another entry, or ports that
 * include those for some clients
 */
export function editSettings(
  settings: FirewallSettings,
  { kind, opening }: Request,
  { site, ssh }: { site: Site; ssh: readonly number[] },
): FirewallSettings {
  const text = formatOpening(opening);
  const without = (list: readonly string[]) => list.filter((entry) => normalise(entry) !== text);
  const ofSite = openingsOfSite(site);
  const isInSite = ofSite.some((each) => formatPorts(each) === text);
  const [allow, deny] = [without(settings.allow), without(settings.deny)];
  if (kind === 'allow') {
    if (!isInSite) refuseForAll(opening, ofSite);
    return { allow: isInSite ? allow : [...allow, text], deny };
  }
  const after = { allow, deny: isInSite ? [...deny, text] : deny };
  const entry = isInSite || allow.length < settings.allow.length;
  if (!entry) refuseOpen(opening, { ssh, openings: openingsOf(site, after) });
  return after;
}

/** Returns the openings that overlap a closed one, including the ports of SSH. */
export function stillOpen(
  opening: Opening,
  { ssh, openings }: { ssh: readonly number[]; openings: readonly Opening[] },
): Opening[] {
  return [...ssh.map(sshOpening), ...openings].filter((each) => overlaps(each, opening));
}

/** Parses an opening. @throws LandfallError USAGE with the expected format */
export function readOpening(text: string | undefined): Opening {
  const opening = parseOpening(text ?? '');
  if (opening) return opening;
  throw new LandfallError(
    'USAGE',
    inLanguage({
      en: `${JSON.stringify(text ?? '')} is not a port`,
      zh: `${JSON.stringify(text ?? '')} 不是端口`,
    }),
    {
      hint: {
        en: 'Write a port or a range with its protocol, such as 8443/tcp or 6000-6010/udp.',
        zh: '写出带协议的端口或端口范围，例如 8443/tcp 或 6000-6010/udp。',
      },
    },
  );
}

/** An opening for everyone would include the ports that the site opens for some clients. */
function refuseForAll(opening: Opening, ofSite: readonly Opening[]): void {
  const own = ofSite.find((each) => each.from !== undefined && overlaps(each, opening));
  if (own === undefined) return;
  const [text, ports] = [formatPorts(opening), formatPorts(own)];
  throw new LandfallError(
    'USAGE',
    inLanguage({
      en: `${text} includes ${ports}, which is open for the clients of the site only`,
      zh: `${text} 包含 ${ports}，它只对站点的客户端开放`,
    }),
    {
      hint: {
        en: `Open the ports around ${ports}. To add a client, list it in engine_node.clients: landfall site edit`,
        zh: `只开放 ${ports} 以外的端口。要增加客户端，请写入 engine_node.clients：landfall site edit`,
      },
    },
  );
}

function refuseOpen(
  opening: Opening,
  open: { ssh: readonly number[]; openings: readonly Opening[] },
): void {
  const cut = open.ssh.find((port) => overlaps(opening, sshOpening(port)));
  if (cut !== undefined) {
    throw new LandfallError(
      'USAGE',
      inLanguage({
        en: `SSH listens on port ${cut}, which cannot be closed`,
        zh: `SSH 在端口 ${cut} 监听，不能关闭`,
      }),
      {
        hint: {
          en: 'Move sshd to another port first: without SSH you lose access to the server.',
          zh: '先把 sshd 换到别的端口：没有 SSH 就无法登录服务器。',
        },
      },
    );
  }
  const [first] = stillOpen(opening, open).map(formatPorts);
  if (first === undefined) return;
  throw new LandfallError(
    'USAGE',
    inLanguage({
      en: `${formatOpening(opening)} is part of the open range ${first}`,
      zh: `${formatOpening(opening)} 属于开放的范围 ${first}`,
    }),
    {
      hint: {
        en: `Close the whole range, then open the ports to keep: landfall firewall deny ${first}`,
        zh: `先关闭整个范围，再开放要保留的端口：landfall firewall deny ${first}`,
      },
    },
  );
}
