import { X509Certificate } from 'node:crypto';
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
