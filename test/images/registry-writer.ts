import { createReadStream } from 'node:fs';
import { type Dispatcher, request } from 'undici';

export interface Account {
  readonly username: string;
  readonly password: string;
}

/** Identifies a blob in a registry and in a layout. */
interface Blob {
  readonly digest: string;
  readonly size: number;
}

/** Writes to one repository of a registry on loopback (OCI distribution-spec, "Push"). */
export class RegistryWriter {
  readonly #registry: string;
  readonly #repository: string;
  readonly #headers: Record<string, string>;

  constructor(registry: string, repository: string, account?: Account) {
    this.#registry = `http://${registry}`;
    this.#repository = repository;
    const pair = account && Buffer.from(`${account.username}:${account.password}`);
    this.#headers = pair ? { authorization: `Basic ${pair.toString('base64')}` } : {};
  }

  /** Uploads the content of a file, unless the registry already has it. */
  async putBlob({ digest, size }: Blob, file: string): Promise<void> {
    if (await this.#has(digest)) return;
    const target = await this.#open();
    target.searchParams.set('digest', digest);
    await this.#send(target, 'PUT', 201, {
      headers: { 'content-type': 'application/octet-stream', 'content-length': `${size}` },
      body: createReadStream(file),
    });
  }

  /** Mounts a blob from another repository, if the registry has it. */
  async mountBlob(digest: string, from: string): Promise<void> {
    const url = this.#url('blobs/uploads/');
    url.searchParams.set('mount', digest);
    url.searchParams.set('from', from);
    await this.#send(url, 'POST', 201, {});
  }

  /** Stores a manifest or an index under a tag or its own digest. */
  async putManifest(reference: string, mediaType: string, bytes: Buffer): Promise<void> {
    await this.#send(this.#url(`manifests/${reference}`), 'PUT', 201, {
      headers: { 'content-type': mediaType },
      body: bytes,
    });
  }

  async #has(digest: string): Promise<boolean> {
    const url = this.#url(`blobs/${digest}`);
    const { statusCode, body } = await request(url, { method: 'HEAD', headers: this.#headers });
    await body.dump();
    return statusCode === 200;
  }

  async #open(): Promise<URL> {
    const url = this.#url('blobs/uploads/');
    const { location } = await this.#send(url, 'POST', 202, {});
    if (typeof location !== 'string') throw new Error('the registry returned no upload URL');
    return new URL(location, url);
  }

  async #send(
    url: URL,
    method: 'POST' | 'PUT',
    expected: number,
    {
      headers,
      body,
    }: { headers?: Record<string, string>; body?: Dispatcher.RequestOptions['body'] },
  ): Promise<Dispatcher.ResponseData['headers']> {
    const all = { ...this.#headers, ...headers };
    const answer = await request(url, { method, headers: all, body: body ?? null });
    const text = await answer.body.text();
    if (answer.statusCode === expected) return answer.headers;
    throw new Error(`${method} ${url.pathname} gave ${answer.statusCode}: ${text.slice(0, 300)}`);
  }

  #url(path: string): URL {
    return new URL(`${this.#registry}/v2/${this.#repository}/${path}`);
  }
}
