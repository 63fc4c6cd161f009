import type { Site } from '#contract/site/site.ts';
import { sha256Hex } from '#contract/trust/digest.ts';

/** Whom certificates are asked of over ACME (RFC 8555). */
export interface Authority {
  /** The URL of its directory. */
  readonly url: string;
  /** What certbot files its certificates under; another one for each authority. */
  readonly lineage: string;
  /** Who vouches for the URL, in PEM, where no public authority does. */
  readonly ca: string | undefined;
}

const letsEncrypt = {
  acme: 'https://acme-v02.api.letsencrypt.org/directory',
  'acme-staging': 'https://acme-staging-v02.api.letsencrypt.org/directory',
} as const;

/** The authority that a site wants, or nothing where its certificate comes from elsewhere. */
export function authorityOf({ tls }: Site): Authority | undefined {
  const { mode, server } = tls;
  if (mode !== 'acme' && mode !== 'acme-staging' && mode !== 'acme-ip') return undefined;
  if (server) {
    return { url: server.url, lineage: `own-${sha256Hex(server.url).slice(0, 8)}`, ca: server.ca };
  }
  const which = mode === 'acme-staging' ? 'acme-staging' : 'acme';
  return { url: letsEncrypt[which], lineage: which, ca: undefined };
}
