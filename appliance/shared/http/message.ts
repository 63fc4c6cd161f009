import type { Readable } from 'node:stream';

export interface HttpRequest {
  readonly url: URL;
  /** Default: GET. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | undefined;
  readonly body?: string | Readable | undefined;
  /** Whether to follow redirects. Default: only of GET and HEAD, because a body may contain secrets. */
  readonly follow?: boolean | undefined;
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
  /**
   * Milliseconds for the whole request with its redirects and its body: a server that sends a byte at
   * a time never stalls. Default: unlimited.
   */
  readonly timeout?: number | undefined;
  /** Expected bytes of the body, if known. Large requests wait for a free slot. */
  readonly expectedBytes?: number | undefined;
}

/** A response whose header has arrived. Every body must be read or discarded. */
export interface HttpResponse {
  readonly status: number;
  /** Final URL, after redirects. */
  readonly url: URL;
  /** Returns a header by its case-insensitive name. Several values are joined with `, `. */
  readonly header: (name: string) => string | undefined;
  readonly body: AsyncIterable<Buffer>;
  /**
   * Reads the whole body.
   * @throws LandfallError BLOB_SIZE when it is larger than `maxBytes`; NETWORK_…
   */
  bytes(maxBytes: number): Promise<Buffer>;
  /** Reads the beginning of the body as UTF-8 and discards the rest. @throws LandfallError NETWORK_… */
  text(maxBytes: number): Promise<string>;
  /** Discards the body and frees the connection. */
  discard(): Promise<void>;
}
