import type { Format } from './formats/format.ts';
import type { Body, ProviderAnswer } from './message.ts';

/** A provider that the relay forwards to. */
export interface Provider {
  readonly name: string;
  readonly format: Format;
  /** The URL that replaces the root of the format, or `/hub` for the hub, without a trailing slash. */
  readonly baseUrl: string;
  /** Undefined until the administrator sets it. */
  readonly key: string | undefined;
  /** How an administrator sets the key, in the imperative; undefined for Ollama. */
  readonly setKey?: string;
  /** Whether requests are sent without a key too: to Ollama, or to a machine of the administrator. */
  readonly keyless: boolean;
  /** Tokens of a conversation, if they are known: of the models of this server. */
  readonly context?: number | undefined;
  /** More base URLs that list models of this provider. */
  readonly listUrls?: readonly string[];
}

/** A request to a provider. */
export interface Outgoing {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body | Uint8Array | null;
  readonly signal: AbortSignal;
}

/**
 * Sends a request and returns the response once its headers arrive. Does not follow redirects.
 * @throws Error when the request fails; `code` is NETWORK_TIMEOUT after a timeout, and `isConnecting` is
 * true when nothing was sent
 */
export type Send = (url: string, outgoing: Outgoing) => Promise<ProviderAnswer>;
