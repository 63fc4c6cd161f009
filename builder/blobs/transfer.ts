import { LandfallError } from '#contract/errors.ts';
import type { HttpResponse } from '#http/message.ts';
import { bodyLength, openRest } from '#http/resume.ts';
import { withRetry } from '#http/retry.ts';
import { TransferError } from '#http/transfer-error.ts';
import type { Transfer as Row } from '../progress/reporter.ts';
import type { Download, DownloaderParts } from './downloader-parts.ts';
import type { HashedFile } from './hashed-file.ts';
import { untilAborted } from './until-aborted.ts';

const htmlHint =
  'The answer is an HTML page: a login page or a filter answered in place of the server.';

/** Brings the content of one blob into a file, over as many connections as it takes. */
export class Transfer {
  readonly #download: Download;
  readonly #parts: DownloaderParts;
  readonly #file: HashedFile;
  readonly #signal: AbortSignal | undefined;
  #row: Row;
  /** Until a server has shown that it cannot begin in the middle. */
  #usesRanges = true;
  #isHtml = false;

  constructor(download: Download, parts: DownloaderParts, file: HashedFile, signal?: AbortSignal) {
    this.#download = download;
    this.#parts = parts;
    this.#file = file;
    this.#signal = signal;
    this.#row = this.#newRow();
  }

  /**
   * Receives what the file lacks.
   * @throws LandfallError BLOB_SIZE for a body that is longer, or time and again shorter
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

  /** Throws away what the file has. */
  async restart(): Promise<void> {
    await this.#file.restart();
    this.#row.end();
    this.#row = this.#newRow();
  }

  end(): void {
    this.#row.end();
  }

  /** The error for bytes that are not what the digest names. */
  wrongBytes(): LandfallError {
    const { label, descriptor } = this.#download;
    const message = `${label} is not what it should be: its digest is not ${descriptor.digest}`;
    return new LandfallError('BLOB_DIGEST', message, {
      hint: this.#isHtml
        ? htmlHint
        : 'Something on the way changed it; try again, or name another mirror or proxy.',
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

  /** Takes over the body from where the file ends; a body that begins before is passed over. */
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
    const message = `${label} is larger than the ${descriptor.size} bytes that it should have`;
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
    return this.#isHtml ? htmlHint : 'Try again, or name another mirror or proxy.';
  }

  #newRow(): Row {
    return this.#parts.reporter.transfer(this.#download.label, this.#download.descriptor.size);
  }
}

/**
 * Gives the memory of a chunk back at once. Left to the garbage collector, some hundred chunks
 * pile up before it looks: measured, 50 MB more and half the speed. Only where the chunk is all
 * there is of its memory; otherwise other chunks are in it too.
 */
function freeNow({ buffer, byteOffset, byteLength }: Buffer): void {
  const isWhole = byteOffset === 0 && byteLength === buffer.byteLength;
  if (isWhole && buffer instanceof ArrayBuffer) buffer.transfer(0);
}
