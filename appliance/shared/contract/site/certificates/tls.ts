import { z } from 'zod';
import { urlOf } from '../urls.ts';
import { isDnsProvider } from './dns-providers.ts';

/** A host name, or all names directly below a domain. */
const certificateName = z
  .string()
  .max(253)
  .regex(
    /^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/,
    'must be a full host name in lower case, such as *.example.com',
  );

export const tls = z
  .strictObject({
    mode: z
      .enum(['acme', 'acme-staging', 'acme-ip', 'custom', 'internal', 'off'])
      .describe('The source of the certificate.'),
    accept_terms: z
      .boolean()
      .default(false)
      .describe("Whether you accept the certificate authority's terms."),
    challenge: z
      .enum(['http', 'dns'])
      .optional()
      .describe('How the authority validates names: on port 80 (`http`, the default), or by DNS.'),
    dns: z
      .strictObject({
        provider: z
          .string()
          .max(32)
          .refine(
            isDnsProvider,
            'must be a DNS provider of lego, such as alidns, tencentcloud, huaweicloud, cloudflare, desec or rfc2136',
          )
          .describe('Where the zone is: the name of a provider of lego.'),
      })
      .optional()
      .describe(
        'For challenge: dns. The credentials are set on the server, by the names of their variables.',
      ),
    names: z
      .array(certificateName)
      .min(1)
      .max(32)
      .optional()
      .describe('The names of the certificate, such as *.example.com. Default: those of hosts.'),
    server: z
      .strictObject({
        url: urlOf('https', 'https://acme.example.com/directory').describe(
          "The URL of the authority's directory (RFC 8555, 7.1.1).",
        ),
        ca: z
          .string()
          .max(8192)
          .regex(
            /^-----BEGIN CERTIFICATE-----\n[A-Za-z0-9+/=\n]+\n-----END CERTIFICATE-----\n?$/,
            'must be one certificate in PEM',
          )
          .optional()
          .describe('The CA certificate of that URL, if it is not publicly trusted.'),
      })
      .optional()
      .describe("An ACME authority other than Let's Encrypt, for the modes acme and acme-ip."),
  })
  .default({ mode: 'internal', accept_terms: false })
  .describe('The TLS certificate of the server.');

type Tls = z.infer<typeof tls>;

/** Returns whether an authority issues the certificate (RFC 8555). */
export function asksAuthority({ mode }: Pick<Tls, 'mode'>): boolean {
  return mode === 'acme' || mode === 'acme-staging' || mode === 'acme-ip';
}

/** Returns the DNS provider whose records prove the names; undefined if the authority connects to port 80. */
export function dnsProviderOf({ challenge, dns }: Tls): string | undefined {
  return challenge === 'dns' ? dns?.provider : undefined;
}
