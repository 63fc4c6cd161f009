import { servedHosts } from '#contract/site/enabled.ts';
import { messageOf } from '#contract/text/chinese-errors.ts';
import { inBoth, inLanguage, type Text } from '#contract/text/language.ts';
import { formatTime } from '#contract/text/time-zone.ts';
import { certificateNames, sitePairPath } from '../../../server/certificates/gateway-pairs.ts';
import { checkPair, leafOf, renewalTime } from '../../../server/certificates/pair.ts';
import { readPair } from '../../../server/certificates/pair-folder.ts';
import { type Attempts, storedAttempts } from '../../../stages/tls/attempts.ts';
import { authorityOf } from '../../../stages/tls/authority.ts';
import { isOverdue } from '../../../stages/tls/conditions.ts';
import { findNamesHere, formatRecord } from '../../../stages/tls/resolve-hosts.ts';
import { type Resolve, systemResolver } from '../../../stages/tls/resolve-name.ts';
import { siteCheck, stageFix } from '../finding.ts';

/** Reports a certificate that is expired, has other names, or was not renewed in time. */
export const certificateCheck = siteCheck(
  { name: 'certificate', root: true },
  async ({ host, site }) => {
    if (site.tls.mode === 'off') return [];
    const now = new Date();
    const [pair, names, attempts] = await Promise.all([
      readPair(host, sitePairPath),
      certificateNames(host, site),
      storedAttempts.read(host),
    ]);
    const problems = pair
      ? checkPair(pair, names, now).map(({ message }) => inBoth(message))
      : [{ en: 'no certificate is installed', zh: '没有安装证书' }];
    const leaf = leafOf(pair?.chain ?? '');
    const late = leaf && isOverdue(leaf, now);
    const texts = [
      ...problems,
      ...(late && problems.length === 0 ? [wasDue(formatTime(renewalTime(leaf)))] : []),
    ];
    const [text, ...more] = texts;
    if (text === undefined) return [];
    const failure = attempts ? [lastAttempt(attempts)] : [];
    const details = [...more, ...failure].map((each) => inLanguage(each));
    const fix = stageFix('tls');
    return [{ code: 'CERTIFICATE_INVALID', subject: 'certificate', text, details, fix }];
  },
);

function wasDue(time: string): Text {
  return {
    en: `the certificate was due for renewal on ${time}`,
    zh: `证书应在 ${time} 续期`,
  };
}

function lastAttempt(attempts: Attempts): Text {
  const { en, zh } = messageOf(attempts);
  return { en: `the last attempt failed: ${en}`, zh: `上一次申请失败：${zh}` };
}

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
      text: {
        en: `this DNS record is missing: ${formatRecord(record)}`,
        zh: `缺少这条 DNS 记录：${formatRecord(record)}`,
      },
      record,
    }));
  });
}
