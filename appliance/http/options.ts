/**
 * Where a person sets how to reach the outside: with the flags and variables of a command, or in the
 * site of a server. Errors give their hints accordingly.
 */
export type Settings = 'command' | 'site';

/** How to reach the outside. */
export interface NetworkOptions {
  /**
   * Proxy URL for everything (http://, https://, socks5://, may carry credentials); absent:
   * HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY (both cases) of the environment.
   */
  readonly proxy?: string | undefined;
  /** PEM of additional certificate authorities; the system's and Node's own stay trusted. */
  readonly ca?: string | undefined;
  /** Default `process.env`. */
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** Exchanges at a time with one host; default 4. */
  readonly concurrencyPerHost?: number | undefined;
  readonly timeouts?: Partial<Timeouts> | undefined;
  /** Default: command. */
  readonly settings?: Settings | undefined;
}

/** Milliseconds that the other side may stay silent. */
export interface Timeouts {
  /** Until a connection stands, TLS included. */
  readonly connect: number;
  /** Until the head of the answer is complete. */
  readonly headers: number;
  /** Between two pieces of a body. */
  readonly body: number;
}

export const defaultTimeouts: Timeouts = { connect: 15_000, headers: 30_000, body: 60_000 };
