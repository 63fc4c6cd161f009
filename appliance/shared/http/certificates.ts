import { X509Certificate } from 'node:crypto';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { LandfallError } from '#contract/errors.ts';

const pemBlock = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Splits PEM into certificates and checks each.
 * @throws LandfallError NETWORK_TLS when there is no certificate, or an invalid one
 */
export function readCertificates(pem: string): string[] {
  const blocks = pem.match(pemBlock) ?? [];
  try {
    if (blocks.length === 0) throw new TypeError('no certificate');
    for (const block of blocks) new X509Certificate(block);
    return blocks;
  } catch (cause) {
    throw new LandfallError(
      'NETWORK_TLS',
      'the additional certificate authorities are not PEM certificates',
      {
        hint: 'Use a file with one or more blocks that begin with -----BEGIN CERTIFICATE-----.',
        cause,
      },
    );
  }
}

/**
 * Returns the trusted authorities: Node's, those of NODE_EXTRA_CA_CERTS, the system's, and the
 * given ones. Shared by all connections, because loading some hundred certificates costs more than
 * a handshake.
 * @param certificates PEM, one certificate each
 */
export function trustContext(certificates: readonly string[]): SecureContext {
  const known = [...getCACertificates('default'), ...getCACertificates('system')];
  return createSecureContext({ ca: [...new Set([...known, ...certificates])] });
}
