/**
 * How the user configures the network: with flags and variables of a command, or in site.yaml.
 * Error hints depend on it.
 */
export type SettingsOrigin = 'command' | 'site';

/** Network settings. */
export interface NetworkOptions {
  /**
   * Proxy URL for all requests (http://, https://, socks5://, may contain credentials). Default:
   * HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY (both cases) of the environment.
   */
  readonly proxy?: string | undefined;
  /** PEM of additional certificate authorities. Those of the system and of Node stay trusted. */
  readonly ca?: string | undefined;
  /** Default `process.env`. */
  readonly env?: NodeJS.ProcessEnv | undefined;
  readonly timeouts?: Partial<Timeouts> | undefined;
  /** Default: command. */
  readonly settings?: SettingsOrigin | undefined;
}

/** Timeouts in milliseconds. */
export interface Timeouts {
  /** To establish a connection, including TLS. */
  readonly connect: number;
  /** To receive the complete response header. */
  readonly headers: number;
  /** Stall timeout between two chunks of a body. */
  readonly body: number;
}

export const defaultTimeouts: Timeouts = { connect: 15_000, headers: 30_000, body: 60_000 };
