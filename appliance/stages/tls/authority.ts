import { asksAuthority } from '#contract/site/certificates/tls.ts';
import type { Site } from '#contract/site/site.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import { trustBundle } from '../../server/certificates/trust.ts';

/** A certificate authority with ACME (RFC 8555). */
export interface Authority {
  /** Directory URL. */
  readonly url: string;
  /** The name of the certificate for lego, unique per authority. */
  readonly lineage: string;
  /** Certificate authorities that lego trusts besides the public ones, in PEM. */
  readonly ca: string | undefined;
}

const letsEncrypt = {
  acme: 'https://acme-v02.api.letsencrypt.org/directory',
  'acme-staging': 'https://acme-staging-v02.api.letsencrypt.org/directory',
} as const;

/** Returns the authority of a site, or undefined for modes without ACME. */
export function authorityOf({ tls, ca }: Site): Authority | undefined {
  const { mode, server } = tls;
  if (!asksAuthority(tls)) return undefined;
  if (server) {
    const lineage = `own-${sha256Hex(server.url).slice(0, 8)}`;
    return { url: server.url, lineage, ca: trusted(server.ca, ca) };
  }
  const which = mode === 'acme-staging' ? 'acme-staging' : 'acme';
  return { url: letsEncrypt[which], lineage: which, ca: trusted(undefined, ca) };
}

/** Returns the CA of the directory URL with those of the site, whose proxy may replace certificates. */
function trusted(own: string | undefined, ca: string | undefined): string | undefined {
  const bundle = trustBundle({ ca });
  return bundle === undefined || own === undefined ? (bundle ?? own) : `${own.trim()}\n${bundle}`;
}
