import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';

/**
 * Returns the trusted authorities: Node's, those of NODE_EXTRA_CA_CERTS, the system's, and the
 * given ones. Shared by all connections, because loading some hundred certificates costs more than
 * a handshake.
 * @param given PEM, one certificate each
 */
export function trustContext(given: readonly string[]): SecureContext {
  const known = [...getCACertificates('default'), ...getCACertificates('system')];
  return createSecureContext({ ca: [...new Set([...known, ...given])] });
}
