import { createSecureContext } from 'node:tls';

/**
 * TLS options that accept any certificate. The context is shared and contains no certificate
 * authorities, which saves some megabytes of memory.
 */
export const anyCertificate = {
  rejectUnauthorized: false,
  secureContext: createSecureContext({ ca: [] }),
} as const;
