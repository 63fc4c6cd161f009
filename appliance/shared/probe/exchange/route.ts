import type { LookupAddress } from 'node:dns';
import type { SecureContext } from 'node:tls';
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
export const defaultLimits: ProbeLimits = { connect: 8000, answer: 15_000 };
