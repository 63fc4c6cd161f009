import { createSecureContext } from 'node:tls';

/**
 * For connections that look at whatever certificate there is. One for all of them and without
 * authorities, which are some megabytes in memory: nobody is asked whether to trust.
 */
export const anyCertificate = {
  rejectUnauthorized: false,
  secureContext: createSecureContext({ ca: [] }),
} as const;
