import type { Access } from './access.ts';
import type { ClientKey } from './client-key.ts';
import type { KeyUsage } from './key-usage.ts';

/** A provider that the relay forwards to. */
export interface Provider {
  readonly name: string;
  /** The URL that replaces `/v1`, or `/hub` for the hub, without a trailing slash. */
  readonly baseUrl: string;
  /** Undefined until the administrator sets it. */
  readonly key: string | undefined;
}

/** A request to a provider. */
export interface Outgoing {
  readonly method: string;
  readonly headers: Headers;
  readonly body: ReadableStream<Uint8Array> | null;
  readonly signal: AbortSignal;
}

/**
 * Sends a request and returns the response once its headers arrive. Does not follow redirects.
 * @throws Error when the request fails; `code` is NETWORK_TIMEOUT after a timeout
 */
export type Send = (url: string, outgoing: Outgoing) => Promise<Response>;

/** Everything that the handler depends on, the same on a server and on an edge platform. */
export interface RelayEnv {
  readonly providers: ReadonlyMap<string, Provider>;
  /** The model hub of `/hub/models/…`; undefined without one. */
  readonly hub: Provider | undefined;
  /** The provider of `/v1`; undefined without providers. */
  readonly defaultProvider: string | undefined;
  readonly keys: readonly ClientKey[];
  readonly usage: KeyUsage;
  /** Milliseconds. */
  readonly timeouts: { readonly firstByte: number; readonly idle: number };
  readonly send: Send;
  /** Receives one entry per request, when the request has ended. */
  readonly log: (access: Access) => void;
}
