import { LandfallError } from '#contract/errors.ts';
import { formatOpening, type Opening, parseOpening } from '#contract/site/opening.ts';
import type { Site } from '#contract/site/site.ts';
import { normalise, openingsOf, overlaps, sshOpening, webOpenings } from './openings.ts';
import type { FirewallSettings } from './settings.ts';

/** What a person asks for. */
interface Wish {
  readonly kind: 'allow' | 'deny';
  readonly opening: Opening;
}

/**
 * The settings after a wish: what is allowed is no longer denied, and the other way round. What is
 * open on every server or by the site is closed by an entry of its own. An entry can always be taken
 * back as it was made; what is left open then, {@link stillOpen} tells.
 * @throws LandfallError USAGE for a wish to close what is open by an entry of another name, or by SSH
 */
export function editSettings(
  settings: FirewallSettings,
  { kind, opening }: Wish,
  { site, ssh }: { site: Site; ssh: readonly number[] },
): FirewallSettings {
  const text = formatOpening(opening);
  const without = (list: readonly string[]) => list.filter((entry) => normalise(entry) !== text);
  const given = [...webOpenings, ...site.firewall.allow].map(normalise).includes(text);
  const [allow, deny] = [without(settings.allow), without(settings.deny)];
  if (kind === 'allow') return { allow: given ? allow : [...allow, text], deny };
  const after = { allow, deny: given ? [...deny, text] : deny };
  const entry = given || allow.length < settings.allow.length;
  if (!entry) refuseOpen(opening, { ssh, openings: openingsOf(site, after) });
  return after;
}

/** What answers from outside of what was to be closed, SSH's ports included. */
export function stillOpen(
  wanted: Opening,
  { ssh, openings }: { ssh: readonly number[]; openings: readonly Opening[] },
): Opening[] {
  return [...ssh.map(sshOpening), ...openings].filter((each) => overlaps(each, wanted));
}

/** @throws LandfallError USAGE with what is understood */
export function readOpening(text: string | undefined): Opening {
  const opening = parseOpening(text ?? '');
  if (opening) return opening;
  throw new LandfallError('USAGE', `${JSON.stringify(text ?? '')} is no port`, {
    hint: 'Say a port or a range with its protocol, such as 8443/tcp or 6000-6010/udp.',
  });
}

function refuseOpen(
  opening: Opening,
  open: { ssh: readonly number[]; openings: readonly Opening[] },
): void {
  const cut = open.ssh.find((port) => overlaps(opening, sshOpening(port)));
  if (cut !== undefined) {
    throw new LandfallError('USAGE', `SSH listens at port ${cut}, which this would close`, {
      hint: 'SSH stays open: it is how you get in. Move sshd to another port first.',
    });
  }
  const [first] = stillOpen(opening, open).map(formatOpening);
  if (first === undefined) return;
  throw new LandfallError('USAGE', `${formatOpening(opening)} is open as a part of ${first}`, {
    hint: `Close that as it was opened, then open what is to stay: landfall firewall deny ${first}`,
  });
}
