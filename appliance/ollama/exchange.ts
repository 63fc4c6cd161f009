import { Agent, type Dispatcher } from 'undici';
import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { TransferError } from '#http/transfer-error.ts';

/** One thing that is asked of the engine. */
interface Asked {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** `/api/tags` */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly signal: AbortSignal;
}

/** Milliseconds until an answer begins. The engine reads its manifests from the disk for some. */
const timeout = 60_000;
/** More is no answer to anything but a pull. Bytes. */
const largestAnswer = 8 << 20;
const errorSchema = z.object({ error: z.string() });

/**
 * Asks the engine, and gives what it answers, piece by piece. An answer may be silent for as long as
 * the signal lets it: while digests are checked nothing comes for minutes.
 * @throws LandfallError STACK_UNHEALTHY, MODEL_FAILED; the reason of the signal, where it is one
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
    throw signal.reason instanceof LandfallError ? signal.reason : silent(cause);
  } finally {
    await agent.destroy();
  }
}

/** All of an answer. @throws LandfallError as {@link askEngine}; MODEL_FAILED for one without end */
export async function askForText(origin: string, asked: Omit<Asked, 'signal'>): Promise<string> {
  return await textOf(askEngine(origin, { ...asked, signal: AbortSignal.timeout(timeout) }));
}

async function textOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > largestAnswer) throw unexpected('an answer that does not end');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function refused({ statusCode, body }: Dispatcher.ResponseData): Promise<TransferError> {
  return new TransferError(
    'MODEL_FAILED',
    `the engine refuses: ${await wordsOf(statusCode, body)}`,
    {
      hint: seeLog,
      transient: statusCode >= 500,
      status: statusCode,
    },
  );
}

async function wordsOf(status: number, body: AsyncIterable<Buffer>): Promise<string> {
  try {
    return plainLine(errorSchema.parse(JSON.parse(await textOf(body))).error);
  } catch {
    return `status ${status}`;
  }
}

function silent(cause: unknown): TransferError {
  return new TransferError('STACK_UNHEALTHY', 'the engine does not answer', {
    hint: seeLog,
    transient: true,
    cause,
  });
}

/** What the engine never answers, unless it is another than this program knows. */
export function unexpected(what: string, cause?: unknown): TransferError {
  return new TransferError('MODEL_FAILED', `the engine answered with ${what}`, {
    hint: seeLog,
    transient: false,
    cause,
  });
}

/** An answer without its end. The next one may have it. */
export function brokenOff(cause?: unknown): TransferError {
  return new TransferError('STACK_UNHEALTHY', 'the answer of the engine broke off', {
    hint: seeLog,
    transient: true,
    cause,
  });
}

const seeLog = 'Check the logs: sudo docker logs --tail 50 landfall-engine';
