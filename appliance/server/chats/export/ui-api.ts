import type { Readable } from 'node:stream';
import { Agent } from 'undici';
import type { z } from 'zod';
import { logCommand } from '#contract/component-names.ts';
import { LandfallError } from '#contract/errors.ts';
import { formatBytes } from '#contract/text/amount.ts';
import { parseJson } from '#contract/text/json.ts';

/** Maximum size of an answer in bytes: a chat with pictures in its messages. */
const defaultMax = 64 << 20;

/** Longest pause of an answer. Milliseconds. */
const stallTimeout = 120_000;

/** Statuses of a proxy whose server does not respond. */
const absent = [502, 503, 504];

/** JSON that a schema accepts, and its bytes. */
interface JsonAnswer<Schema extends z.ZodType> {
  readonly value: z.output<Schema>;
  readonly bytes: readonly Uint8Array[];
}

/**
 * The API of the chat UI. A call fails with HTTP_STATUS if the chat UI rejects this request or returns
 * something else, and with STACK_UNHEALTHY if it does not respond.
 */
export class UiApi implements AsyncDisposable {
  readonly #base: string;
  readonly #max: number;
  readonly #agent = new Agent({ headersTimeout: stallTimeout, bodyTimeout: stallTimeout });

  /** @param base origin of the chat UI @param max maximum size of JSON in bytes */
  constructor(base: string, max = defaultMax) {
    this.#base = base;
    this.#max = max;
  }

  /** Requests JSON as an account. @param token its session */
  async json<Schema extends z.ZodType>(
    path: string,
    token: string,
    schema: Schema,
  ): Promise<JsonAnswer<Schema>> {
    // The bytes are kept as they arrive: a copy of a large chat would take memory.
    const bytes: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of this.file(path, token)) {
      bytes.push(chunk);
      size += chunk.length;
      if (size > this.#max) throw rejected(`it has more than ${formatBytes(this.#max)}`);
    }
    const { data } = schema.safeParse(parseJson(decoded(bytes)));
    if (data === undefined) throw rejected('the chat UI returned another form of data');
    return { value: data, bytes };
  }

  /** Opens a file as an account. An interrupted stream fails with HTTP_STATUS. */
  async *file(path: string, token: string): AsyncGenerator<Uint8Array> {
    const body: AsyncIterable<Uint8Array> = await this.#open(path, token);
    try {
      yield* body;
    } catch (error) {
      interrupted(error);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.destroy();
  }

  async #open(path: string, token: string): Promise<Readable> {
    const request = {
      ...{ origin: this.#base, path, method: 'GET' },
      headers: { authorization: `Bearer ${token}` },
    } as const;
    const { statusCode: status, body } = await this.#agent.request(request).catch(unhealthy);
    if (status === 200) return body;
    // Frees the connection; the end of a long body is not read.
    body.on('error', () => {}).destroy();
    if (absent.includes(status)) unhealthy(new Error(`status ${status}`));
    throw rejected(`status ${status} instead of 200`);
  }
}

/** Returns the text; empty if it is not UTF-8. */
function decoded(bytes: readonly Uint8Array[]): string {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    return (
      bytes.map((chunk) => decoder.decode(chunk, { stream: true })).join('') + decoder.decode()
    );
  } catch {
    return '';
  }
}

function rejected(reason: string): LandfallError {
  return new LandfallError('HTTP_STATUS', reason);
}

/** One answer: a file that the chat UI cannot read ends early each time. */
function interrupted(cause: unknown): never {
  throw new LandfallError('HTTP_STATUS', 'the response was interrupted', { cause });
}

function unhealthy(cause: unknown): never {
  const { code, message } = cause as NodeJS.ErrnoException;
  throw new LandfallError('STACK_UNHEALTHY', `the chat UI does not respond: ${message || code}`, {
    hint: { en: `Read its log: ${logCommand('ui')}`, zh: `查看它的日志：${logCommand('ui')}` },
    cause,
  });
}
