/** A request. Landfall sends GET and HEAD only, except for a form that requests a token. */
export interface HttpRequest {
  readonly url: URL;
  readonly method?: 'GET' | 'HEAD' | undefined;
  /**
   * Form fields; they make the request a POST. They contain secrets, so redirects are not followed.
   */
  readonly form?: Readonly<Record<string, string>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Value of Authorization. Sent only to the origin of `url`, never to another one after a
   * redirect.
   */
  readonly authorization?: string | undefined;
  /**
   * Rejects a redirect from a public host to this computer or its network, such as a metadata service.
   * For URLs of others.
   */
  readonly staysPublic?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Expected bytes of the body, if known. Large requests wait for a free slot. */
  readonly expectedBytes?: number | undefined;
}

/** A response whose header has arrived. Every body must be read or discarded. */
export interface HttpResponse {
  readonly status: number;
  /** Final URL, after redirects. */
  readonly url: URL;
  /** Returns a header by its case-insensitive name. Several values are joined with `, `. */
  header(name: string): string | undefined;
  readonly body: AsyncIterable<Buffer>;
  /**
   * Reads the whole body.
   * @throws LandfallError BLOB_SIZE when it is larger than `maxBytes`; NETWORK_…
   */
  bytes(maxBytes: number): Promise<Buffer>;
  /** Discards the body and frees the connection. */
  discard(): Promise<void>;
}
