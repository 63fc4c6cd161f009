import { type Admission, admit } from './admit.ts';
import { AccessEntry, type RelayEnv } from './env.ts';
import { clientHeaders, providerHeaders } from './headers.ts';
import { Passage } from './passage.ts';
import { providerError } from './provider-error.ts';
import { answerFilter } from './redact/answer-filter.ts';
import type { Filter } from './redact/redaction.ts';
import { isRefusal, type Refusal, refusalResponse } from './refusal.ts';

/** Health endpoint: needs no key and contacts no provider. */
const healthPath = '/health';

/**
 * Handles a request to the relay (SPEC E3, E5): checks the relay key, forwards the request with the
 * provider's key, and streams the response back. Uses web standards only, so it runs on Node and on
 * edge platforms. Never throws: failures become responses in OpenAI's error format.
 */
export async function handle(request: Request, env: RelayEnv): Promise<Response> {
  const url = new URL(request.url);
  if (url.pathname === healthPath) return health(request);
  const entry = new AccessEntry(request.method, env.log);
  try {
    const admission = await admit(request, url, env, (known) => entry.note(known));
    if (isRefusal(admission)) return refuse(admission, entry);
    const answer = await forward(request, url.search, admission, env, entry);
    if (isRefusal(answer)) return refuse(answer, entry);
    if (answer.status >= 400 || answer.body === null) finish(answer, entry);
    return answer;
  } catch (error) {
    entry.note({ cause: error instanceof Error ? error.name : 'unknown' });
    return refuse({ refused: 'relay_failed' }, entry);
  }
}

function refuse(refusal: Refusal, entry: AccessEntry): Response {
  const answer = refusalResponse(refusal);
  const requestId = answer.headers.get('x-request-id') ?? '';
  entry.note({ refused: refusal.refused, requestId });
  return finish(answer, entry);
}

/** Completes the log entry of a response that is not streamed. */
function finish(answer: Response, entry: AccessEntry): Response {
  entry.head(answer.status);
  entry.end('complete');
  return answer;
}

function health({ method }: Request): Response {
  if (method !== 'GET' && method !== 'HEAD')
    return refusalResponse({ refused: 'relay_method_not_allowed', headers: { allow: 'GET' } });
  return new Response(method === 'HEAD' ? null : '{"status":"ok"}\n', {
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  });
}

/**
 * Sends an admitted request to its provider and streams the response back. When the client
 * disconnects, the request to the provider is aborted.
 */
async function forward(
  request: Request,
  search: string,
  { client, provider, endpoint, release }: Admission,
  { timeouts, send }: RelayEnv,
  entry: AccessEntry,
): Promise<Response | Refusal> {
  const passage = new Passage(request.signal, entry, release, timeouts.firstByte);
  const key = provider.key ?? '';
  const { body, exceeded } = boundedBody(request, client.limits.body_bytes);
  try {
    const answer = await send(`${provider.baseUrl}${endpoint}${search}`, {
      method: request.method,
      headers: providerHeaders(request.headers, key, body !== null),
      body,
      signal: passage.signal,
    });
    // Some runtimes complete a request whose body failed.
    const refused = exceeded() ? tooLarge : refusalFor(answer.status);
    if (!refused && answer.status < 400) return passedOn(answer, key, passage, timeouts.idle);
    const error = refused ?? (await providerError(answer, key));
    passage.over();
    passage.cut();
    return error;
  } catch (error) {
    const code = codeOf(error);
    entry.note({ cause: code });
    passage.over();
    passage.cut();
    if (exceeded()) return tooLarge;
    if (code === 'ENCODING_UNKNOWN') return { refused: 'provider_encoding_unknown' };
    const tooLate = passage.expired || code === 'NETWORK_TIMEOUT';
    return { refused: tooLate ? 'provider_timeout' : 'provider_unreachable' };
  }
}

const tooLarge: Refusal = { refused: 'relay_body_too_large' };

/** Returns the refusal for a status that concerns the relay and not the client. */
function refusalFor(status: number): Refusal | undefined {
  // The relay key was valid. A plain 401 would suggest that it was not.
  if (status === 401 || status === 407) return { refused: 'provider_key_refused' };
  if (status >= 300 && status < 400) return { refused: 'provider_redirect' };
  return undefined;
}

function passedOn(answer: Response, key: string, passage: Passage, idle: number): Response {
  const { status, body } = answer;
  const headers = clientHeaders(answer.headers, key);
  passage.begun(status);
  if (body === null) {
    passage.end('complete');
    return new Response(null, { status, headers });
  }
  const filter = answerFilter(headers.get('content-type') ?? '', key);
  return new Response(passThrough(body, filter, passage, idle), { status, headers });
}

/** Returns the code only: error messages may contain addresses. */
function codeOf(error: unknown): string {
  const found = error as { code?: unknown; name?: unknown } | null;
  return String(found?.code ?? found?.name ?? 'unknown').slice(0, 64);
}

/** A request body with a maximum size. */
interface BoundedBody {
  readonly body: ReadableStream<Uint8Array> | null;
  /** Whether the body exceeded the limit. */
  exceeded(): boolean;
}

/**
 * Limits the size of a request body. A body with `Content-Length` passes unchanged: its length was
 * checked before, and HTTP enforces it. Other bodies are counted chunk by chunk.
 */
function boundedBody(request: Request, limit: number): BoundedBody {
  const { body } = request;
  if (body === null || request.headers.has('content-length'))
    return { body, exceeded: () => false };
  let received = 0;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      received += chunk.byteLength;
      if (received > limit) controller.error(new RangeError('the request is too large'));
      else controller.enqueue(chunk);
    },
  });
  return { body: body.pipeThrough(counting), exceeded: () => received > limit };
}

/**
 * Streams a body chunk by chunk. Reads a chunk only when the client has taken the previous one. When
 * the body fails, the client's body fails too, so a truncated response never looks complete.
 * @param filter removes what the client must not see
 * @param idle stall timeout of the provider, in milliseconds
 */
function passThrough(
  body: ReadableStream<Uint8Array>,
  filter: Filter,
  passage: Passage,
  idle: number,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let silent = false;

  /** Returns the next chunk to send; undefined at the end. */
  async function next(): Promise<Uint8Array | undefined> {
    for (;;) {
      const timer = setTimeout(() => {
        silent = true;
        passage.cut();
      }, idle);
      const { done, value } = await reader.read().finally(() => clearTimeout(timer));
      if (done) return undefined;
      const chunk = filter.push(value);
      if (chunk.byteLength > 0) return chunk;
    }
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const pass = (chunk: Uint8Array) => {
          passage.count(chunk.byteLength);
          if (chunk.byteLength > 0) controller.enqueue(chunk);
        };
        try {
          const chunk = await next();
          if (chunk) return pass(chunk);
          pass(filter.end());
          passage.end('complete');
          controller.close();
        } catch (error) {
          passage.end(silent ? 'timeout' : 'broken');
          controller.error(error);
        }
      },
      async cancel(reason) {
        passage.end('aborted');
        await reader.cancel(reason).catch(() => {});
      },
    },
    { highWaterMark: 0 },
  );
}
