import { z } from 'zod';
import { isAuthorityCertificate } from '../../trust/authority-certificate.ts';

const begin = '-----BEGIN CERTIFICATE-----';
const end = '-----END CERTIFICATE-----';
const block = new RegExp(`${begin}\n[A-Za-z0-9+/=\n]+\n${end}`, 'g');
const whole = new RegExp(`^(?:${begin}\n[A-Za-z0-9+/=\n]+\n${end}\n*)+$`);

/** One or more certificate authorities in PEM, without a private key. */
export const authorities = z
  .string()
  .max(16_384)
  .refine((text) => !text.includes('PRIVATE KEY'), {
    error: 'contains a private key; use the certificate only, and replace that key',
    abort: true,
  })
  .regex(whole, { error: 'must be one or more certificates in PEM', abort: true })
  .refine((text) => siteCertificates({ ca: text }).every(isAuthorityCertificate), {
    error: 'must contain only CA certificates (basicConstraints with CA:TRUE)',
  });

/** The certificate authorities of the site, for example that of a proxy that replaces certificates. */
export const ca = authorities
  .optional()
  .describe('Additional certificate authorities that the server trusts, in PEM.');

/** Returns the certificate authorities of a site, one PEM text each, with a final line break. */
export function siteCertificates({
  ca: text = '',
}: {
  readonly ca?: string | undefined;
}): string[] {
  return [...new Set(text.match(block))].map((pem) => `${pem}\n`);
}
