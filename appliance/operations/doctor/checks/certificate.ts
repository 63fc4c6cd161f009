import { servedHosts } from '#contract/site/served-hosts.ts';
import { formatTime } from '#contract/text/time-zone.ts';
import { certificateNames, sitePairPath } from '../../../server/certificates/gateway-pairs.ts';
import { checkPair, leafOf, renewalTime } from '../../../server/certificates/pair.ts';
import { readPair } from '../../../server/certificates/pair-folder.ts';
import { readAttempts } from '../../../stages/tls/attempts.ts';
import { authorityOf } from '../../../stages/tls/authority.ts';
import { findNamesHere, formatRecord } from '../../../stages/tls/resolve-hosts.ts';
import { type Resolve, systemResolver } from '../../../stages/tls/resolve-name.ts';
import { siteCheck, stageFix } from '../finding.ts';

/** Milliseconds after the time of a renewal. The timer tries several times a day. */
const overdue = 3 * 24 * 3600 * 1000;

/** Reports a certificate that is expired, has other names, or was not renewed in time. */
export const certificateCheck = siteCheck(
  { name: 'certificate', root: true },
  async ({ host, site }) => {
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
);

/** Reports DNS records that a public authority needs to issue the certificate. */
export const dnsRecordsCheck = dnsRecordsCheckWith(undefined);

/** Returns the check with the resolver of a test. */
export function dnsRecordsCheckWith(resolve: Resolve | undefined) {
  return siteCheck({ name: 'dns-records', root: true }, async ({ host, site }) => {
    const names = [...new Set(Object.values(servedHosts(site)))];
    // Names with another certificate may exist in a private DNS only.
    if (names.length === 0 || !authorityOf(site)) return [];
    const resolver = resolve ?? (await systemResolver(host));
    const { missing } = await findNamesHere({ host, site }, names, resolver);
    return missing.map((record) => ({
      code: 'DNS_RECORD_MISSING',
      subject: record.name,
      text: `this DNS record is missing: ${formatRecord(record)}`,
      record,
    }));
  });
}
