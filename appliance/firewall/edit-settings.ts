import { LandfallError } from '#contract/errors.ts';
import { formatOpening, type Opening, parseOpening } from '#contract/site/opening.ts';
import type { Site } from '#contract/site/site.ts';
import { normalise, openingsOf, openingsOfSite, overlaps, sshOpening } from './openings.ts';
import type { FirewallSettings } from './settings.ts';

/** A change that the administrator requests. */
interface Request {
  readonly kind: 'allow' | 'deny';
  readonly opening: Opening;
}

/**
 * Returns the settings after a request. Allowed ports are removed from the denied ones and vice
 * versa. Ports that are open by default or by the site are closed by an entry in `deny`. An entry can
 * always be removed as it was added; {@link stillOpen} returns what is open afterwards.
 * @throws LandfallError USAGE for ports of SSH, or ports that are part of another entry
 */
export function editSettings(
  settings: FirewallSettings,
  { kind, opening }: Request,
  { site, ssh }: { site: Site; ssh: readonly number[] },
): FirewallSettings {
  const text = formatOpening(opening);
  const without = (list: readonly string[]) => list.filter((entry) => normalise(entry) !== text);
  const given = openingsOfSite(site).includes(text);
  const [allow, deny] = [without(settings.allow), without(settings.deny)];
  if (kind === 'allow') return { allow: given ? allow : [...allow, text], deny };
  const after = { allow, deny: given ? [...deny, text] : deny };
  const entry = given || allow.length < settings.allow.length;
  if (!entry) refuseOpen(opening, { ssh, openings: openingsOf(site, after) });
  return after;
}

/** Returns the openings that overlap a closed one, including the ports of SSH. */
export function stillOpen(
  wanted: Opening,
  { ssh, openings }: { ssh: readonly number[]; openings: readonly Opening[] },
): Opening[] {
  return [...ssh.map(sshOpening), ...openings].filter((each) => overlaps(each, wanted));
}

/** Parses an opening. @throws LandfallError USAGE with the expected format */
export function readOpening(text: string | undefined): Opening {
  const opening = parseOpening(text ?? '');
  if (opening) return opening;
  throw new LandfallError('USAGE', `${JSON.stringify(text ?? '')} is not a port`, {
    hint: 'Write a port or a range with its protocol, such as 8443/tcp or 6000-6010/udp.',
  });
}

function refuseOpen(
  opening: Opening,
  open: { ssh: readonly number[]; openings: readonly Opening[] },
): void {
  const cut = open.ssh.find((port) => overlaps(opening, sshOpening(port)));
  if (cut !== undefined) {
    throw new LandfallError('USAGE', `SSH listens on port ${cut}, which cannot be closed`, {
      hint: 'Move sshd to another port first: without SSH you lose access to the server.',
    });
  }
  const [first] = stillOpen(opening, open).map(formatOpening);
  if (first === undefined) return;
  throw new LandfallError('USAGE', `${formatOpening(opening)} is part of the open range ${first}`, {
    hint: `Close the whole range, then open the ports to keep: landfall firewall deny ${first}`,
  });
}
