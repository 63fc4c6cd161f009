import { lookup } from 'node:dns/promises';
import { readCertificates } from '#http/certificates.ts';
import { trustContext } from '#http/trust.ts';
import { defaultLimits, type ProbeNetwork } from './route.ts';

/**
 * Returns the network of this machine, with the system's resolver and certificate authorities.
 * @param ca PEM of additional certificate authorities
 * @throws LandfallError NETWORK_TLS for invalid authorities
 */
export function systemNetwork(ca?: string): ProbeNetwork {
  const additional = ca === undefined ? [] : readCertificates(ca);
  let context: ReturnType<typeof trustContext> | undefined;
  return {
    lookup: (name) => lookup(name, { all: true }),
    // Loading the authorities takes longer than a handshake.
    trust: () => {
      context ??= trustContext(additional);
      return context;
    },
    limits: defaultLimits,
  };
}
