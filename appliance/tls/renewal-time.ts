import type { X509Certificate } from 'node:crypto';

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
