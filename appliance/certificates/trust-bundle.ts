import { rootCertificates } from 'node:tls';
import { siteCertificates } from '#contract/site/certificates/ca.ts';
import type { Site } from '#contract/site/site.ts';

/**
 * Returns the certificate authorities for containers in PEM: those of the site, and the public ones of
 * Node, because programs use such a file instead of their own. Undefined for a site without any.
 */
export function trustBundle(site: Pick<Site, 'ca'>): string | undefined {
  const own = siteCertificates(site);
  return own.length === 0 ? undefined : `${own.join('')}${rootCertificates.join('\n')}\n`;
}
