import { LandfallError } from '#contract/errors.ts';
import type { HttpResponse } from '#http/message.ts';
import { bodyLength, openRest } from '#http/resume.ts';
import { withRetry } from '#http/retry.ts';
import { TransferError } from '#http/transfer-error.ts';
import type { Transfer as Row } from '../progress/reporter.ts';
import type { Download, DownloaderOptions } from './downloader-options.ts';
import type { HashedFile } from './hashed-file.ts';
import { untilAborted } from './until-aborted.ts';

const htmlHint =
  'Check the network: a login page or a filter sent an HTML page instead of the blob.';

/** Downloads the content of one blob into a file, over as many connections as necessary. */
export class Transfer {
  readonly #download: Download;
  readonly #parts: DownloaderOptions;
  readonly #file: HashedFile;
  readonly #signal: AbortSignal | undefined;
  #row: Row;
  /** Set to false once the server has rejected a range request. */
  #usesRanges = true;
  #isHtml = false;

  constructor(
    download: Download,
    parts: DownloaderOptions,
    file: HashedFile,
    signal?: AbortSignal,
  ) {
    this.#download = download;
    this.#parts = parts;
    this.#file = file;
    this.#signal = signal;
    this.#row = this.#newRow();
  }

  /**
   * Downloads the missing bytes.
   * @throws LandfallError BLOB_SIZE for a body that is too long, or repeatedly too short
   */
  async receive(): Promise<void> {
    const { label, descriptor } = this.#download;
    this.#row.skip(this.#file.length);
    if (this.#file.length >= descriptor.size) return;
    await withRetry(label, () => this.#attempt(), {
      signal: this.#signal,
      note: (line) => this.#parts.reporter.note(line),
      sleep: this.#parts.sleep,
      progress: () => this.#file.length,
    });
  }

  /** Discards the content of the file. */
  async restart(): Promise<void> {
    await this.#file.restart();
    this.#row.end();
    this.#row = this.#newRow();
  }

  end(): void {
    this.#row.end();
  }

  /** Returns the error for content that does not match its digest. */
  wrongBytes(): LandfallError {
    const { label, descriptor } = this.#download;
    const message = `${label} is corrupt: its digest is not ${descriptor.digest}`;
    return new LandfallError('BLOB_DIGEST', message, {
      hint: this.#isHtml ? htmlHint : 'Try again, or configure another mirror or proxy.',
    });
  }

  async #attempt(): Promise<void> {
    const { label, descriptor, open } = this.#download;
    const from = this.#usesRanges ? this.#file.length : 0;
    const { response, start, isRangeRefused } = await openRest(
      (begin) => untilAborted(open(begin), this.#signal, (late) => late.discard()),
      { from, size: descriptor.size, what: label },
    );
    if (isRangeRefused) this.#usesRanges = false;
    this.#isHtml = /^text\/html\b/i.test(response.header('content-type') ?? '');
    const length = bodyLength(response);
    if (length !== undefined && start + length > descriptor.size) {
      await response.discard();
      throw this.#tooLong();
    }
    await this.#pour(response, start);
    if (this.#file.length < descriptor.size) throw this.#tooShort();
  }

  /** Appends the body to the file. Skips bytes that the file already has. */
  async #pour(response: HttpResponse, start: number): Promise<void> {
    const { size } = this.#download.descriptor;
    const stop = () => void response.discard();
    this.#signal?.addEventListener('abort', stop, { once: true });
    let at = start;
    try {
      for await (const chunk of response.body) {
        this.#parts.statistics.fetched += chunk.length;
        const news = chunk.subarray(Math.max(0, this.#file.length - at));
        at += chunk.length;
        if (at > size) throw this.#tooLong();
        await this.#file.write(news);
        this.#row.advance(news.length);
        freeNow(chunk);
      }
    } finally {
      this.#signal?.removeEventListener('abort', stop);
    }
  }

  #tooLong(): LandfallError {
    const { label, descriptor } = this.#download;
    const message = `${label} is larger than the expected ${descriptor.size} bytes`;
    return new LandfallError('BLOB_SIZE', message, { hint: this.#sizeHint() });
  }

  #tooShort(): LandfallError {
    const { label, descriptor } = this.#download;
    const message = `${label} ended after ${this.#file.length} of ${descriptor.size} bytes`;
    return new TransferError('BLOB_SIZE', message, {
      hint: this.#sizeHint(),
      transient: !this.#isHtml,
    });
  }

  #sizeHint(): string {
    return this.#isHtml ? htmlHint : 'Try again, or configure another mirror or proxy.';
  }

  #newRow(): Row {
    return this.#parts.reporter.transfer(this.#download.label, this.#download.descriptor.size);
  }
}

/**
 * Frees the memory of a chunk immediately. The garbage collector alone runs after some hundred
 * chunks: measured, 50 MB more memory and half the throughput. Skips chunks that share a buffer.
 */
function freeNow({ buffer, byteOffset, byteLength }: Buffer): void {
  const isWhole = byteOffset === 0 && byteLength === buffer.byteLength;
  if (isWhole && buffer instanceof ArrayBuffer) buffer.transfer(0);
}
