import { siteCertificates } from '#contract/site/certificates/ca.ts';
import type { Site } from '#contract/site/site.ts';

/** The certificate authorities of the system, which update-ca-certificates(8) writes. */
export const systemBundle = 'etc/ssl/certs/ca-certificates.crt';

/** Variables of programs that do not read the system's certificate authorities. */
const trustVariableNames = ['REQUESTS_CA_BUNDLE', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'];

/** Returns the variables that make programs trust the site's certificate authorities (SPEC 2.2). */
export function trustVariables(site: Pick<Site, 'ca'>): Readonly<Record<string, string>> {
  if (siteCertificates(site).length === 0) return {};
  return Object.fromEntries(trustVariableNames.map((name) => [name, `/${systemBundle}`]));
}
