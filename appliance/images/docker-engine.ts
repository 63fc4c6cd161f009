import { Agent, type Dispatcher } from 'undici';
import { z } from 'zod';
import { plainLine } from '#contract/text/plain-line.ts';
import { TransferError } from '#http/transfer-error.ts';
import type { Host } from '../host/host.ts';
import { jsonLines } from '../host/pull/json-lines.ts';
import { pullLine } from '../host/pull/pull-line.ts';
import { type PullLine, progressSchema } from './pull-line.ts';
import { registryLogin } from './registry-login.ts';

const socket = 'run/docker.sock';
/** Milliseconds. The engine's socket is activated by systemd, which may have to start the engine. */
const connectTimeout = 60_000;
/** More is no message. Bytes. */
const longestRefusal = 64 * 1024;
const refusalSchema = z.object({ message: z.string() });

/**
 * Has Docker's engine pull an image and gives each line of progress. Unlike the command `docker
 * pull` it says how many bytes have come, and one who stops reading stops the pull.
 * @param reference with registry and digest: `docker.io/x/y@sha256:…`
 * @param failed what a refusal means, by its words
 * @throws LandfallError ENGINE_UNREACHABLE, and those of `failed`; the reason of the signal
 */
export async function* pullLines(
  host: Host,
  reference: string,
  failed: (words: string) => TransferError,
  signal: AbortSignal,
): AsyncGenerator<PullLine> {
  const lines = jsonLines(create(host, reference, failed, signal), {
    unexpected: engineAnswered,
    brokenOff,
  });
  const unknown = (cause: unknown) => engineAnswered('a line that tells nothing', cause);
  for await (const line of lines) yield pullLine(line, progressSchema, unknown);
}

async function* create(
  host: Host,
  reference: string,
  failed: (words: string) => TransferError,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const [fromImage = '', tag = ''] = reference.split('@');
  const login = await registryLogin(host, reference);
  const agent = new Agent({
    connect: { socketPath: host.path(socket), timeout: connectTimeout },
    // Nothing comes before the registry has answered; how long that may take the caller says.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  try {
    const answer = await agent.request({
      origin: 'http://docker',
      path: '/images/create',
      query: { fromImage, tag },
      method: 'POST',
      headers: login === undefined ? {} : { 'x-registry-auth': login },
      signal,
    });
    if (answer.statusCode !== 200) throw failed(await wordsOf(answer));
    yield* answer.body;
  } catch (cause) {
    if (cause instanceof TransferError) throw cause;
    throw signal.aborted ? signal.reason : brokenOff(cause);
  } finally {
    await agent.destroy();
  }
}

async function wordsOf({ statusCode, body }: Dispatcher.ResponseData): Promise<string> {
  let text = '';
  for await (const chunk of body) {
    text += chunk;
    if (text.length > longestRefusal) break;
  }
  try {
    return refusalSchema.parse(JSON.parse(text)).message;
  } catch {
    return `status ${statusCode} ${plainLine(text)}`;
  }
}

/** What the engine never answers, unless it is another than this program knows. */
function engineAnswered(what: string, cause?: unknown): TransferError {
  return new TransferError('ENGINE_UNREACHABLE', `Docker's engine answered with ${what}`, {
    hint: seeLog,
    transient: false,
    cause,
  });
}

/** No answer, or one without its end. The engine may be starting anew. */
function brokenOff(cause?: unknown): TransferError {
  return new TransferError('ENGINE_UNREACHABLE', "Docker's engine does not answer", {
    hint: seeLog,
    transient: true,
    cause,
  });
}

const seeLog = 'See: sudo journalctl --unit docker --lines 50';
