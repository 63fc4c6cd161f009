import { X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { siteCertificates } from '#contract/site/certificates/ca.ts';
import type { Site } from '#contract/site/site.ts';
import type { Host } from '../host/host.ts';
import { sitePairPath } from './gateway-pairs.ts';
import { readPair } from './pair-folder.ts';

/**
 * Returns the certificate authorities for containers in PEM: those of the site, and the public ones of
 * Node, because programs use such a file instead of their own. Undefined for a site without any.
 */
export function trustBundle(site: Pick<Site, 'ca'>): string | undefined {
  const own = siteCertificates(site);
  return own.length === 0 ? undefined : `${own.join('')}${rootCertificates.join('\n')}\n`;
}

/** Browsers accept no longer chains. */
const max = 8;

/**
 * Reports whether browsers trust the installed certificate. Used only to decide on HSTS, which must
 * not be sent with an untrusted certificate: browsers would then block the site.
 */
export async function hasTrustedCertificate(host: Host): Promise<boolean> {
  const pair = await readPair(host, sitePairPath);
  return pair !== undefined && isBrowserTrusted(pair.chain);
}

/**
 * Reports whether each certificate of a chain is signed by the next, up to a trusted root.
 * @param chain certificates in PEM, the server certificate first
 * @param roots root certificates in PEM; Mozilla's list by default
 */
export function isBrowserTrusted(
  chain: string,
  roots: readonly string[] = rootCertificates,
): boolean {
  const certificates = parseChain(chain);
  const last = certificates.at(-1);
  if (!last) return false;
  const linked = certificates.every((certificate, index) => {
    const issuer = certificates[index + 1];
    return !issuer || isSignedBy(certificate, issuer);
  });
  return (
    linked &&
    roots.some((text) => {
      const root = new X509Certificate(text);
      return last.fingerprint256 === root.fingerprint256 || isSignedBy(last, root);
    })
  );
}

function isSignedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

function parseChain(chain: string): X509Certificate[] {
  const blocks = chain.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    return blocks.slice(0, max).map((block) => new X509Certificate(block));
  } catch {
    return [];
  }
}
