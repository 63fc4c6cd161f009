import { LandfallError } from '#contract/errors.ts';
import { covers, formatOpening, type Opening, parseOpening } from '#contract/opening.ts';
import type { Site } from '#contract/site.ts';
import { normalise, webOpenings } from './openings.ts';
import type { FirewallSettings } from './settings.ts';

/** What a person asks for. */
export interface Wish {
  readonly kind: 'allow' | 'deny';
  readonly opening: Opening;
}

/**
 * The settings after a wish: what is allowed is no longer denied, and the other way round. What is
 * open on every server or by the site is closed by an entry of its own.
 * @throws LandfallError USAGE for a wish that would close SSH
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
  refuseSsh(opening, ssh);
  return { allow, deny: given ? [...deny, text] : deny };
}

/** @throws LandfallError USAGE with what is understood */
export function readOpening(text: string | undefined): Opening {
  const opening = parseOpening(text ?? '');
  if (opening) return opening;
  throw new LandfallError('USAGE', `${JSON.stringify(text ?? '')} is no port`, {
    hint: 'Say a port or a range with its protocol, such as 8443/tcp or 6000-6010/udp.',
  });
}

function refuseSsh(opening: Opening, ssh: readonly number[]): void {
  const cut = ssh.find((port) => covers(opening, { first: port, last: port, protocol: 'tcp' }));
  if (cut === undefined) return;
  throw new LandfallError('USAGE', `SSH listens at port ${cut}, which this would close`, {
    hint: 'SSH stays open: it is how you get in. Move sshd to another port first.',
  });
}
