import type { Site } from '#contract/site/site.ts';
import { sha256Hex } from '#contract/trust/digest.ts';

/** A certificate authority with ACME (RFC 8555). */
export interface Authority {
  /** Directory URL. */
  readonly url: string;
  /** certbot's certificate name, unique per authority. */
  readonly lineage: string;
  /** CA certificate of the directory URL in PEM, if it is not publicly trusted. */
  readonly ca: string | undefined;
}

const letsEncrypt = {
  acme: 'https://acme-v02.api.letsencrypt.org/directory',
  'acme-staging': 'https://acme-staging-v02.api.letsencrypt.org/directory',
} as const;

/** Returns the authority of a site, or undefined for modes without ACME. */
export function authorityOf({ tls }: Site): Authority | undefined {
  const { mode, server } = tls;
  if (mode !== 'acme' && mode !== 'acme-staging' && mode !== 'acme-ip') return undefined;
  if (server) {
    return { url: server.url, lineage: `own-${sha256Hex(server.url).slice(0, 8)}`, ca: server.ca };
  }
  const which = mode === 'acme-staging' ? 'acme-staging' : 'acme';
  return { url: letsEncrypt[which], lineage: which, ca: undefined };
}
