import type { Access } from './access.ts';
import type { ClientKey } from './client-key.ts';
import type { KeyUsage } from './key-usage.ts';

/** A provider whose API the relay passes on. */
export interface Provider {
  readonly name: string;
  /** What stands in for `/v1`, without a slash at its end. */
  readonly baseUrl: string;
  /** Nothing while its owner has not set it. */
  readonly key: string | undefined;
}

/** A request as it goes to a provider. */
export interface Outgoing {
  readonly method: string;
  readonly headers: Headers;
  readonly body: ReadableStream<Uint8Array> | null;
  readonly signal: AbortSignal;
}

/**
 * Sends a request and gives the answer as soon as its head is there. Follows no redirect.
 * @throws when there is no answer; a `code` of NETWORK_TIMEOUT means that time ran out
 */
export type Send = (url: string, outgoing: Outgoing) => Promise<Response>;

/** All that the handler knows and uses; the same on a server and at an edge. */
export interface RelayEnv {
  readonly providers: ReadonlyMap<string, Provider>;
  /** Which of them serves `/v1`; nothing when there are none. */
  readonly defaultProvider: string | undefined;
  readonly keys: readonly ClientKey[];
  readonly usage: KeyUsage;
  /** Milliseconds. */
  readonly timeouts: { readonly firstByte: number; readonly idle: number };
  readonly send: Send;
  /** Takes one entry a request, when all of it is over. */
  readonly log: (access: Access) => void;
}
