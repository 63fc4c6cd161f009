/** A body: chunks, each read when the previous one was taken. Its end before the last one cancels it. */
export type Body = AsyncIterable<Uint8Array>;

/** The headers of a message, by names in lower case. `Headers` of fetch are such. */
export interface Fields {
  get(name: string): string | null;
}

/**
 * A request to the relay. Neither this nor {@link Answer} is a class of the Fetch standard: with its
 * streams and headers, a request costs Node three times as much.
 */
export interface RelayRequest {
  readonly method: string;
  /** Absolute; its host does not matter. */
  readonly url: string;
  readonly headers: Fields;
  readonly body: Body | null;
  /** Aborted when the client has left. */
  readonly signal: AbortSignal;
}

/** The response of the relay. */
export interface Answer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Record<string, string>;
  readonly body: Body | string | null;
}

/** The response of a provider. */
export interface ProviderAnswer {
  readonly status: number;
  readonly headers: Fields;
  readonly body: Body | null;
}
