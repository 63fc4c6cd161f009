import { X509Certificate } from 'node:crypto';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { LandfallError } from '#contract/errors.ts';

const pemBlock = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Whom to trust over TLS: Node's authorities, those of NODE_EXTRA_CA_CERTS, the system's, and the
 * given ones. One context for all connections, since reading some hundred certificates for each
 * would cost more than the handshake.
 * @throws LandfallError NETWORK_TLS when `extra` holds no certificate or one that cannot be read
 */
export function trustContext(extra: string | undefined): SecureContext {
  const given = extra === undefined ? [] : readCertificates(extra);
  const known = [...getCACertificates('default'), ...getCACertificates('system')];
  return createSecureContext({ ca: [...new Set([...known, ...given])] });
}

function readCertificates(pem: string): string[] {
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
        hint: 'Give a file of one or more blocks that begin with -----BEGIN CERTIFICATE-----.',
        cause,
      },
    );
  }
}
