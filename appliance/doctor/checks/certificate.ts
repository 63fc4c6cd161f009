import { formatTime } from '#contract/text/time-zone.ts';
import { certificateNames, sitePairPath } from '../../certificates/gateway-pairs.ts';
import { checkPair, leafOf } from '../../certificates/pair.ts';
import { readPair } from '../../certificates/pair-folder.ts';
import { readAttempts } from '../../tls/attempts.ts';
import { renewalTime } from '../../tls/renewal-time.ts';
import { type Check, stageFix } from '../finding.ts';

/** Milliseconds after the time of a renewal. The timer tries several times a day. */
const overdue = 3 * 24 * 3600 * 1000;

/** Reports a certificate that is expired, has other names, or was not renewed in time. */
export const certificateCheck: Check = {
  name: 'certificate',
  root: true,
  needs: 'site',
  run: async ({ host, site }) => {
    if (site.tls.mode === 'off') return [];
    const now = new Date();
    const [pair, names, attempts] = await Promise.all([
      readPair(host, sitePairPath),
      certificateNames(host, site),
      readAttempts(host),
    ]);
    const problems = pair
      ? checkPair(pair, names, now).map(({ message }) => message)
      : ['no certificate is installed'];
    const leaf = leafOf(pair?.chain ?? '');
    const late = leaf && now.getTime() > renewalTime(leaf).getTime() + overdue;
    const texts = [
      ...problems,
      ...(late && problems.length === 0
        ? [`the certificate was due for renewal on ${formatTime(renewalTime(leaf))}`]
        : []),
    ];
    const [text, ...more] = texts;
    if (text === undefined) return [];
    const failure = attempts ? [`the last attempt failed: ${attempts.message}`] : [];
    const details = [...more, ...failure];
    const fix = stageFix('tls');
    return [{ code: 'CERTIFICATE_INVALID', subject: 'certificate', text, details, fix }];
  },
};
