import type { X509Certificate } from 'node:crypto';

const day = 24 * 60 * 60 * 1000;
/** Certificates that live shorter than this are renewed at their half. */
const shortLived = 10 * day;

/** When to ask for the next certificate: with a third of its life left, as authorities recommend. */
export function renewalTime({
  validFromDate,
  validToDate,
}: Pick<X509Certificate, 'validFromDate' | 'validToDate'>): Date {
  const life = validToDate.getTime() - validFromDate.getTime();
  return new Date(validToDate.getTime() - life / (life < shortLived ? 2 : 3));
}
