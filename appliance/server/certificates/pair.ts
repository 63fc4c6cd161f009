import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { Problem } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';
import { formatTime } from '#contract/text/time-zone.ts';

/** A certificate chain and its private key, both in PEM. */
export interface Pair {
  readonly chain: string;
  readonly key: string;
}

/** Returns the first certificate of a chain; undefined if the text is not a certificate. */
export function leafOf(chain: string): X509Certificate | undefined {
  try {
    return new X509Certificate(chain);
  } catch {
    return undefined;
  }
}

/**
 * Returns all reasons why a pair cannot serve some names; empty if it can.
 * @param names host names and addresses
 */
export function checkPair({ chain, key }: Pair, names: readonly string[], now: Date): Problem[] {
  const leaf = leafOf(chain);
  if (!leaf) {
    return [
      {
        message: inLanguage({
          en: 'the chain is not a certificate in PEM',
          zh: '证书链不是 PEM 格式的证书',
        }),
        hint: inLanguage({
          en: 'Use a file that begins with -----BEGIN CERTIFICATE----- and has the server certificate first.',
          zh: '使用以 -----BEGIN CERTIFICATE----- 开头的文件，服务器的证书放在最前。',
        }),
      },
    ];
  }
  const problems: Problem[] = names
    .filter((name) => !covers(leaf, name))
    .map((name) => ({
      message: inLanguage({
        en: `the certificate is not valid for ${name}`,
        zh: `证书不适用于 ${name}`,
      }),
      hint: inLanguage({
        en: `Use a certificate whose names include ${name}; this one is valid for ${leaf.subjectAltName ?? 'no name'}.`,
        zh: `使用包含 ${name} 的证书；现在的证书适用于 ${leaf.subjectAltName ?? '空名称'}。`,
      }),
    }));
  if (now < leaf.validFromDate) {
    problems.push({
      message: inLanguage({
        en: `the certificate is not valid before ${formatTime(leaf.validFromDate)}`,
        zh: `证书在 ${formatTime(leaf.validFromDate)} 之前无效`,
      }),
    });
  }
  if (now > leaf.validToDate) {
    problems.push({
      message: inLanguage({
        en: `the certificate expired on ${formatTime(leaf.validToDate)}`,
        zh: `证书已于 ${formatTime(leaf.validToDate)} 过期`,
      }),
    });
  }
  if (!fits(leaf, key)) {
    problems.push({
      message: inLanguage({
        en: 'the private key does not match the certificate',
        zh: '私钥与证书不匹配',
      }),
      hint: inLanguage({
        en: 'Use the private key of this certificate, in PEM and without a passphrase.',
        zh: '使用这个证书的私钥，PEM 格式，不带口令。',
      }),
    });
  }
  return problems;
}

function covers(leaf: X509Certificate, name: string): boolean {
  // OpenSSL compares names of hosts only.
  if (name.startsWith('*.')) return (leaf.subjectAltName ?? '').split(', ').includes(`DNS:${name}`);
  return (
    (isIP(name) ? leaf.checkIP(name) : leaf.checkHost(name, { subject: 'never' })) !== undefined
  );
}

function fits(leaf: X509Certificate, key: string): boolean {
  try {
    return leaf.checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

const day = 24 * 60 * 60 * 1000;
/** Certificates with a shorter lifetime are renewed with half of it left. */
const shortLived = 10 * day;

/** Returns when to renew a certificate: with a third of its life left, as authorities recommend. */
export function renewalTime({
  validFromDate,
  validToDate,
}: Pick<X509Certificate, 'validFromDate' | 'validToDate'>): Date {
  const life = validToDate.getTime() - validFromDate.getTime();
  return new Date(validToDate.getTime() - life / (life < shortLived ? 2 : 3));
}
