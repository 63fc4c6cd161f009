import type { X509Certificate } from 'node:crypto';
import type { Site } from '#contract/site/site.ts';
import type { Text } from '#contract/text/language.ts';
import { formatTime } from '#contract/text/time-zone.ts';
import { sitePairPath } from '../../server/certificates/gateway-pairs.ts';
import { leafOf, renewalTime } from '../../server/certificates/pair.ts';
import { readPair } from '../../server/certificates/pair-folder.ts';
import type { Condition } from '../../server/conditions/condition.ts';
import type { Host } from '../../server/host/host.ts';

const day = 24 * 3600 * 1000;

/** Reports whether a certificate should have been renewed days ago, by the timer or by a person. */
export function isOverdue(leaf: X509Certificate, now: Date): boolean {
  const life = leaf.validToDate.getTime() - leaf.validFromDate.getTime();
  // The timer tries several times a day. A certificate of six days has no three days to wait.
  return now.getTime() > renewalTime(leaf).getTime() + Math.min(3 * day, life / 6);
}

/** Returns the condition of a certificate that was not renewed in time, or has expired. */
export async function certificateConditions(
  host: Host,
  { tls }: Pick<Site, 'tls'>,
  _known?: unknown,
  now = new Date(),
): Promise<Condition[]> {
  if (tls.mode === 'off') return [];
  const leaf = leafOf((await readPair(host, sitePairPath))?.chain ?? '');
  if (!leaf || !isOverdue(leaf, now)) return [];
  return [
    {
      topic: 'certificate',
      severity: now > leaf.validToDate ? 'broken' : 'attention',
      what: endOf(leaf, now),
      over: { en: 'the certificate was renewed', zh: '证书已续期' },
      command: 'sudo landfall tls status',
    },
  ];
}

function endOf({ validToDate }: X509Certificate, now: Date): Text {
  const end = formatTime(validToDate);
  return now > validToDate
    ? { en: `the certificate expired on ${end}`, zh: `证书已于 ${end} 过期` }
    : {
        en: `the certificate ends on ${end} and was not renewed`,
        zh: `证书将于 ${end} 到期，尚未续期`,
      };
}
