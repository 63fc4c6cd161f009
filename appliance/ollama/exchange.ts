import { Agent, type Dispatcher } from 'undici';
import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { readAtMost } from '#contract/text/bytes.ts';
import { readJson } from '#contract/text/json.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { decodeUtf8 } from '#contract/text/utf8.ts';
import { TransferError } from '#http/transfer-error.ts';

/** A request to Ollama. */
interface Asked {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** `/api/tags` */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly signal: AbortSignal;
}

/** Time limit for the response headers in milliseconds. Ollama may first read manifests from disk. */
const timeout = 60_000;
/** Size limit of a response in bytes, except for a pull. */
const maxAnswer = 8 << 20;
const errorSchema = z.object({ error: z.string() });

/**
 * Sends a request to Ollama and yields the chunks of the response. Only the signal limits the time
 * between chunks, because Ollama sends nothing for minutes while it verifies digests.
 * @throws LandfallError STACK_UNHEALTHY, MODEL_FAILED; the signal's reason if that is a LandfallError
 */
export async function* askEngine(origin: string, asked: Asked): AsyncGenerator<Buffer> {
  const { method, path, body, signal } = asked;
  const agent = new Agent({
    connect: { timeout: 10_000 },
    headersTimeout: timeout,
    bodyTimeout: 0,
  });
  try {
    const answer = await agent.request({
      origin,
      path,
      method,
      headers: { 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      signal,
    });
    if (answer.statusCode !== 200) throw await refused(answer);
    yield* answer.body;
  } catch (cause) {
    if (cause instanceof LandfallError) throw cause;
    throw signal.reason instanceof LandfallError ? signal.reason : unreachable(cause);
  } finally {
    await agent.destroy();
  }
}

/** Returns a whole response. @throws LandfallError as {@link askEngine}; MODEL_FAILED if too large */
export async function askForText(origin: string, asked: Omit<Asked, 'signal'>): Promise<string> {
  return await textOf(askEngine(origin, { ...asked, signal: AbortSignal.timeout(timeout) }));
}

async function textOf(body: AsyncIterable<Buffer>): Promise<string> {
  const bytes = await readAtMost(body, maxAnswer + 1);
  if (bytes.length > maxAnswer) throw unexpected('a response that is too large');
  return decodeUtf8(bytes);
}

async function refused({ statusCode, body }: Dispatcher.ResponseData): Promise<TransferError> {
  return new TransferError(
    'MODEL_FAILED',
    `Ollama rejected the request: ${await errorOf(statusCode, body)}`,
    {
      hint: seeLog,
      transient: statusCode >= 500,
      status: statusCode,
    },
  );
}

async function errorOf(status: number, body: AsyncIterable<Buffer>): Promise<string> {
  const refused = readJson(errorSchema, await textOf(body).catch(() => undefined));
  return refused ? plainLine(refused.error) : `status ${status}`;
}

function unreachable(cause: unknown): TransferError {
  return new TransferError('STACK_UNHEALTHY', 'Ollama does not respond', {
    hint: seeLog,
    transient: true,
    cause,
  });
}

/** Returns the error for a response that Ollama's API does not document. */
export function unexpected(what: string, cause?: unknown): TransferError {
  return new TransferError('MODEL_FAILED', `unexpected response from Ollama: ${what}`, {
    hint: seeLog,
    transient: false,
    cause,
  });
}

/** Returns the transient error for a truncated response. */
export function truncated(cause?: unknown): TransferError {
  return new TransferError('STACK_UNHEALTHY', 'the response from Ollama is truncated', {
    hint: seeLog,
    transient: true,
    cause,
  });
}

const seeLog = 'Check the logs: sudo docker logs --tail 50 landfall-engine';
