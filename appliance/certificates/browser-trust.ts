import { X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import type { Host } from '../host/host.ts';
import { sitePlace } from './gateway-pairs.ts';
import { readPair } from './pair-folder.ts';

/** No chain that browsers take is longer. */
const longest = 8;

/**
 * Whether browsers trust the certificate in place. It decides on HSTS alone, which must never be
 * sent with a certificate that a person has to click past: browsers would then refuse the site.
 */
export async function hasTrustedCertificate(host: Host): Promise<boolean> {
  const pair = await readPair(host, sitePlace);
  return pair !== undefined && isBrowserTrusted(pair.chain);
}

/**
 * Whether a chain leads to an authority that browsers know, each certificate signed by the next.
 * @param chain certificates in PEM, the server's own first
 * @param roots authorities in PEM; those of Mozilla's list when not given
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
  return linked && roots.some((root) => leadsTo(last, new X509Certificate(root)));
}

function leadsTo(last: X509Certificate, root: X509Certificate): boolean {
  return last.fingerprint256 === root.fingerprint256 || isSignedBy(last, root);
}

function isSignedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

function parseChain(chain: string): X509Certificate[] {
  const blocks = chain.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    return blocks.slice(0, longest).map((block) => new X509Certificate(block));
  } catch {
    return [];
  }
}
