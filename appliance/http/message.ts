/** A request. Landfall only ever reads; the one thing that it posts is a form that asks for a token. */
export interface HttpRequest {
  readonly url: URL;
  readonly method?: 'GET' | 'HEAD' | undefined;
  /**
   * Fields of a form, which make the request a POST. They carry secrets, so that a redirect is not
   * followed but given back.
   */
  readonly form?: Readonly<Record<string, string>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Value of Authorization. Sent to the origin of `url` only: never follows a redirect to another origin. */
  readonly authorization?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Bytes that the answer will have, where known: large answers wait for a place of their own. */
  readonly expectedBytes?: number | undefined;
}

/** An answer whose head has arrived. Every answer with a body has to be read or discarded. */
export interface HttpResponse {
  readonly status: number;
  /** Where the answer came from, after redirects. */
  readonly url: URL;
  /** A header by its name in any case; several of one name are joined with `, `. */
  header(name: string): string | undefined;
  readonly body: AsyncIterable<Buffer>;
  /**
   * Reads the whole body.
   * @throws LandfallError BLOB_SIZE when it has more than `maxBytes`; NETWORK_…
   */
  bytes(maxBytes: number): Promise<Buffer>;
  /** Throws the body away and frees the connection. */
  discard(): Promise<void>;
}
