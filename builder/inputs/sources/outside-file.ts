import { LandfallError } from '#contract/errors.ts';
import { hexOf } from '#contract/trust/digest.ts';
import type { HttpClient, HttpResponse } from '#http/client.ts';
import { bodyLength, rangeFrom } from '#http/resume.ts';
import { withRetry } from '#http/retry.ts';
import { statusError } from '#http/status.ts';
import type { Reporter } from '../../base/progress/reporter.ts';
import type { Statistics } from '../../base/progress/statistics.ts';
import type { Descriptor } from '../blobs/blob.ts';
import type { Downloader } from '../blobs/download.ts';
import type { BlobStore } from '../blobs/store.ts';
import { htmlError, isHtml } from '../registry/refusal.ts';
import { importBlob } from './import-blob.ts';
import { npmTarballUrl } from './npm-registry.ts';

/** A file to download. */
interface OutsideFile {
  /** Tried in order; `npm:name@version` uses the configured npm registry. */
  readonly urls: readonly string[];
  /** 64 hex digits. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

/** A downloaded file in the store. */
interface MeasuredFile {
  /** 64 hex digits. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

interface OutsideParts {
  readonly http: HttpClient;
  readonly downloader: Downloader;
  readonly store: BlobStore;
  readonly reporter: Reporter;
  readonly statistics: Statistics;
  readonly env: NodeJS.ProcessEnv;
  /** Base URLs by host, tried before the host. */
  readonly mirrors?: ReadonlyMap<string, readonly string[]>;
}

const mediaType = 'application/octet-stream';
/** Maximum size of a program. The largest today, Node's tarball, has 53 MB. */
const maxProgram = 1024 * 1024 * 1024;

/** Downloads files that are not images: Node for the server, the Compose plugin. */
export class OutsideFiles {
  readonly #parts: OutsideParts;

  constructor(parts: OutsideParts) {
    this.#parts = parts;
  }

  /**
   * Ensures that a file is in the store, from the first URL that has it.
   * @throws LandfallError BLOB_DIGEST, BLOB_SIZE and network errors
   * @throws the abort reason of the signal
   */
  async obtain(
    { urls, sha256, size }: OutsideFile,
    label: string,
    signal?: AbortSignal,
  ): Promise<void> {
    const descriptor: Descriptor = { mediaType, digest: `sha256:${sha256}`, size };
    await this.#firstOf(
      urls,
      async (url) => {
        const open = async (from: number) => this.#open(await url(), rangeFrom(from));
        await this.#parts.downloader.fetch({ descriptor, label, open }, signal);
      },
      signal,
    );
  }

  /**
   * Computes size and SHA-256 of a file and stores it.
   * @param wanted.sha256 64 hex digits, if known; sources with other content are skipped
   * @param wanted.max maximum size in bytes
   * @throws LandfallError BLOB_DIGEST, BLOB_SIZE and network errors
   */
  async measure(
    sources: readonly string[],
    { sha256, max = maxProgram }: { sha256?: string | undefined; max?: number } = {},
  ): Promise<MeasuredFile> {
    return await this.#firstOf(sources, async (url) => this.#keep(await url(), sha256, max));
  }

  /**
   * Returns the size of a file in bytes if the server reports it. Requests only the first byte.
   * @throws LandfallError network errors
   */
  async sizeOf(source: string): Promise<number | undefined> {
    const url = new URL(source);
    const { reporter } = this.#parts;
    const response = await withRetry(
      `requesting the file size from ${url.host}`,
      () => this.#open(url, { range: 'bytes=0-0' }),
      { note: (line) => reporter.note(line) },
    );
    await response.discard();
    if (response.status === 200) return bodyLength(response);
    const [, total] = /^bytes 0-0\/(\d{1,15})$/.exec(response.header('content-range') ?? '') ?? [];
    return total === undefined ? undefined : Number(total);
  }

  /** Passes each URL as a function: finding out npm's registry takes longer than a look in the store. */
  async #firstOf<T>(
    sources: readonly string[],
    attempt: (url: () => Promise<URL>) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const { reporter, env, mirrors = new Map() } = this.#parts;
    let failure: unknown;
    for (const source of sources.flatMap((each) => throughMirrors(each, mirrors))) {
      try {
        let found: Promise<string | undefined> | undefined;
        return await attempt(async () => {
          found ??= npmTarballUrl(source, env);
          return new URL((await found) ?? source);
        });
      } catch (error) {
        signal?.throwIfAborted();
        if (failure !== undefined) reporter.note(`${source}: ${(error as Error).message}`);
        failure ??= error;
      }
    }
    throw failure;
  }

  async #open(url: URL, headers: Record<string, string>): Promise<HttpResponse> {
    const { http, env } = this.#parts;
    const response = await http.send({ url: throughHubMirror(url, env), headers });
    const isExpected = [200, 206, 416].includes(response.status);
    if (isExpected && !isHtml(response)) return response;
    await response.discard();
    if (isExpected) throw htmlError(url.host);
    throw statusError(response, `fetching ${url.pathname.split('/').at(-1)} from ${url.host}`);
  }

  /** Streams a file of unknown size into the store. */
  async #keep(url: URL, sha256: string | undefined, max: number): Promise<MeasuredFile> {
    const { reporter } = this.#parts;
    const attempt = async () => {
      const response = await this.#open(url, {});
      const label = `the file on ${response.url.host}`;
      return await importBlob(this.#received(response), { label, max }, this.#parts);
    };
    const note = (line: string) => reporter.note(line);
    const { digest, size } = await withRetry(`downloading from ${url.host}`, attempt, { note });
    const found = hexOf(digest);
    if (found === (sha256 ?? found)) return { sha256: found, size };
    throw new LandfallError('BLOB_DIGEST', `the file on ${url.host} differs from the locked one`, {
      hint: 'Use another URL of the same file, or ask its publisher why it changed.',
      problems: [{ message: `sha256: locked ${sha256}, found ${found}` }],
    });
  }

  /** Yields the body and counts its bytes, in a progress row if the size is known. */
  async *#received(response: HttpResponse): AsyncGenerator<Buffer> {
    const { reporter, statistics } = this.#parts;
    const name = response.url.pathname.split('/').at(-1) ?? '';
    const total = bodyLength(response) ?? 0;
    const row = total > 0 ? reporter.transfer(name, total) : undefined;
    try {
      for await (const chunk of response.body) {
        statistics.fetched += chunk.length;
        row?.advance(chunk.length);
        yield chunk;
      }
    } finally {
      row?.end();
    }
  }
}

/** Returns the URLs of a source at the mirrors of its host, and the source itself. */
function throughMirrors(source: string, mirrors: ReadonlyMap<string, readonly string[]>): string[] {
  const { host = '', pathname = '', search = '' } = URL.parse(source) ?? {};
  const bases = mirrors.get(host) ?? [];
  return [...bases.map((base) => `${base.replace(/\/+$/, '')}${pathname}${search}`), source];
}

const hub = 'https://huggingface.co';

/**
 * Rewrites a URL of the model hub to the mirror in HF_ENDPOINT (SPEC 2.2), as the hub's own client
 * does. Returns every other URL unchanged. The content is verified against the lock either way.
 * @throws LandfallError USAGE when the variable is not a URL
 */
export function throughHubMirror(url: URL, { HF_ENDPOINT: mirror }: NodeJS.ProcessEnv): URL {
  if (!mirror || url.origin !== hub) return url;
  const base = URL.parse(mirror);
  if (base === null || !/^https?:$/.test(base.protocol)) {
    throw new LandfallError('USAGE', 'HF_ENDPOINT is not an http or https URL', {
      hint: 'Set a URL, for example HF_ENDPOINT=https://hub.example.cn.',
    });
  }
  const folder = base.pathname.replace(/\/+$/, '');
  return new URL(`${base.origin}${folder}${url.pathname}${url.search}`);
}
