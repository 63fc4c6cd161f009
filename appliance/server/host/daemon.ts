import { Agent, type Dispatcher } from 'undici';
import { z } from 'zod';
import { type ErrorCode, LandfallError } from '#contract/errors.ts';
import { decodeUtf8, readAtMost } from '#contract/text/bytes.ts';
import { readJson } from '#contract/text/json.ts';
import { TransferError } from '#http/transfer-error.ts';
import { jsonLines, type PullFailed, pullLine } from './pull/pull-line.ts';

/** A request to a daemon. Only the signal limits the time between chunks of the response. */
type DaemonRequest = Dispatcher.RequestOptions & { readonly signal: AbortSignal };

/** How Docker and Ollama report an error. */
const refusalSchema = z.union([
  z.object({ error: z.string() }).transform(({ error }) => error),
  z.object({ message: z.string() }).transform(({ message }) => message),
]);
/** Maximum size of an error body, in bytes. */
const maxRefusal = 64 * 1024;

/** A daemon of this server with an HTTP API: Docker, or Ollama. */
export class Daemon {
  readonly #name: string;
  readonly #codes: { readonly down: ErrorCode; readonly invalid: ErrorCode };
  readonly #hint: string;

  /** @param codes of a missing or incomplete response, and of one that no supported version sends */
  constructor(name: string, codes: { down: ErrorCode; invalid: ErrorCode }, hint: string) {
    this.#name = name;
    this.#codes = codes;
    this.#hint = hint;
  }

  /**
   * Sends a request and yields the chunks of the response.
   * @param refused returns the error for a status other than 200
   * @throws TransferError, also that of `refused`; the signal's reason if that is a LandfallError
   */
  async *request(
    connection: Agent.Options,
    request: DaemonRequest,
    refused: (words: string, status: number) => LandfallError,
  ): AsyncGenerator<Buffer> {
    const agent = new Agent({ bodyTimeout: 0, ...connection });
    try {
      const { statusCode, body } = await agent.request(request);
      if (statusCode !== 200) throw refused(await wordsOf(statusCode, body), statusCode);
      yield* body;
    } catch (cause) {
      if (cause instanceof LandfallError) throw cause;
      const { reason } = request.signal;
      throw reason instanceof LandfallError ? reason : this.truncated(cause);
    } finally {
      await agent.destroy();
    }
  }

  /** Yields the lines of the response to a pull. @throws TransferError for an invalid one */
  async *pullLines<Progress>(
    chunks: AsyncIterable<Buffer>,
    progress: z.ZodType<Progress>,
  ): AsyncGenerator<Progress | PullFailed> {
    for await (const line of jsonLines(chunks, this)) {
      yield pullLine(line, progress, (cause) => this.unexpected('an unexpected line', cause));
    }
  }

  /** Returns the error for a response that no supported version sends. */
  readonly unexpected = (what: string, cause?: unknown): TransferError =>
    new TransferError(this.#codes.invalid, `${this.#name} returned ${what}`, {
      hint: this.#hint,
      transient: false,
      cause,
    });

  /** Returns the transient error for a missing or incomplete response: it may be restarting. */
  readonly truncated = (cause?: unknown): TransferError =>
    new TransferError(this.#codes.down, `${this.#name} does not respond`, {
      hint: this.#hint,
      transient: true,
      cause,
    });
}

async function wordsOf(status: number, body: AsyncIterable<Buffer>): Promise<string> {
  const text = decodeUtf8(await readAtMost(body, maxRefusal));
  const words = readJson(refusalSchema, text);
  return words ?? `status ${status}`;
}
