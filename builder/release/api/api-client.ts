import type { Readable } from 'node:stream';
import type { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { HttpClient, type HttpResponse } from '#http/client.ts';
import { Dispatchers } from '#http/dispatchers.ts';
import { networkError } from '#http/failures.ts';
import { apiError } from './api-error.ts';

/** Access to the API of a code host. */
export interface ApiAccess {
  /** Base URL, such as `https://api.github.com`. */
  readonly api: URL;
  readonly token: string;
  readonly env: NodeJS.ProcessEnv;
}

interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly url: URL;
  /** Sent as JSON. */
  readonly json?: object | undefined;
  /** A file, with its size in bytes. */
  readonly file?:
    | { readonly content: AsyncIterable<Uint8Array>; readonly size: number }
    | undefined;
}

/** Limit of a JSON response: a page of 100 releases. Bytes. */
const maxJsonBytes = 16 * 1024 * 1024;
const apiVersion = '2022-11-28';

/** Sends requests to the API of a code host. Each request is sent once. */
export class ApiClient {
  readonly #access: ApiAccess;
  readonly #http: HttpClient;
  readonly #dispatchers: Dispatchers;

  constructor(access: ApiAccess) {
    this.#access = access;
    this.#http = new HttpClient({ env: access.env });
    this.#dispatchers = new Dispatchers({ env: access.env });
  }

  /** Returns the URL of a path of the API. */
  url(path: string): URL {
    return new URL(`${this.#access.api.href.replace(/\/$/, '')}${path}`);
  }

  /**
   * Sends a request and returns the parsed response.
   * @throws TransferError HTTP_STATUS, REGISTRY_RATE_LIMIT, NETWORK_…; transient ones can be retried
   */
  async send<T>(request: ApiRequest, schema: z.ZodType<T>): Promise<T> {
    const text = await this.#exchange(request);
    try {
      return schema.parse(JSON.parse(text));
    } catch (cause) {
      throw unexpected(request.url, cause);
    }
  }

  /** Sends a request whose response is empty. @throws like {@link send} */
  async sendOnly(request: ApiRequest): Promise<void> {
    await this.#exchange(request);
  }

  /**
   * Requests the content of a file. The response redirects to object storage, which gets no token.
   * @throws like {@link send}
   */
  async download(url: URL): Promise<HttpResponse> {
    const headers = { accept: 'application/octet-stream', 'x-github-api-version': apiVersion };
    const response = await this.#http.request({ url, headers, authorization: this.#bearer });
    if (response.status === 200) return response;
    const body = (await response.bytes(maxJsonBytes)).toString();
    const { status } = response;
    const request = `GET ${url.pathname}`;
    const header = (name: string) => response.header(name);
    throw apiError({ request, host: response.url.host, status, body, header });
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    await Promise.all([this.#http.close(), this.#dispatchers.close()]);
  }

  get #bearer(): string {
    return `Bearer ${this.#access.token}`;
  }

  async #exchange({ method, url, json, file }: ApiRequest): Promise<string> {
    const route = this.#dispatchers.routeTo(url);
    const { headers: headersTimeout, body: bodyTimeout } = this.#dispatchers.timeouts;
    const type = json ? 'application/json' : 'application/octet-stream';
    const length = file ? { 'content-length': `${file.size}` } : {};
    try {
      const answer = await route.dispatcher.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method,
        headers: {
          accept: 'application/vnd.github+json',
          authorization: this.#bearer,
          'user-agent': 'landfall',
          'x-github-api-version': apiVersion,
          ...(json || file ? { 'content-type': type } : {}),
          ...length,
        },
        body: json ? JSON.stringify(json) : ((file?.content as Readable | undefined) ?? null),
        headersTimeout,
        bodyTimeout,
      });
      const body = await limitedText(answer.body);
      const { statusCode: status, headers } = answer;
      if (status < 300) return body;
      const header = (name: string) => [headers[name]].flat()[0];
      throw apiError({
        request: `${method} ${url.pathname}`,
        host: url.host,
        status,
        body,
        header,
      });
    } catch (cause) {
      if (cause instanceof LandfallError) throw cause;
      throw networkError(cause, { url, proxy: route.proxy });
    }
  }
}

async function limitedText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxJsonBytes) break;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function unexpected({ host, pathname }: URL, cause: unknown): LandfallError {
  const message = `unexpected response of ${host} to ${pathname}`;
  return new LandfallError('HTTP_STATUS', message, {
    hint: 'Check GITHUB_API_URL, and check the network for a filter.',
    cause,
  });
}
