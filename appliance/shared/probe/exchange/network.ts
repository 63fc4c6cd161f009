import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import type { SecureContext } from 'node:tls';
import { readCertificates, trustContext } from '#http/certificates.ts';
import type { ProxyServer } from '#http/proxy.ts';

/** How a request leaves this machine: direct without a proxy. */
export interface Route {
  /** Undefined for a direct connection. */
  readonly proxy?: ProxyServer | undefined;
  /** Addresses of the host, instead of those of the system's resolver. */
  readonly addresses?: readonly string[] | undefined;
}

/** What all requests of a probe share. */
export interface ProbeNetwork {
  /** Resolves a host name as other programs of this machine do. */
  readonly lookup: (name: string) => Promise<readonly LookupAddress[]>;
  /** Returns the trusted certificate authorities. */
  readonly trust: () => SecureContext;
  readonly limits: ProbeLimits;
}

/** Timeouts in milliseconds. */
interface ProbeLimits {
  /** Of each step until a connection is ready. */
  readonly connect: number;
  /** Of the response. */
  readonly answer: number;
}

/** The connect and read timeouts of SPEC 8. */
const defaultLimits: ProbeLimits = { connect: 8000, answer: 15_000 };

/**
 * Returns the network of this machine, with the system's resolver and certificate authorities.
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
