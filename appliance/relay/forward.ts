import type { AccessEntry } from './access.ts';
import type { Admission } from './admit.ts';
import { boundedBody } from './bounded-body.ts';
import type { RelayEnv } from './env.ts';
import { clientHeaders, providerHeaders } from './headers.ts';
import { passThrough } from './pass-through.ts';
import { providerError } from './provider-error.ts';
import type { Refusal } from './refusal.ts';

/**
 * Sends an admitted request to its provider and passes the answer on. The connection lives as long
 * as the client wants the answer: who leaves, ends it.
 */
export async function forward(
  request: Request,
  search: string,
  { client, provider, endpoint, release }: Admission,
  env: RelayEnv,
  entry: AccessEntry,
): Promise<Response | Refusal> {
  const connection = new AbortController();
  const cut = () => connection.abort();
  request.signal.addEventListener('abort', cut);
  if (request.signal.aborted) cut();
  const over = () => {
    request.signal.removeEventListener('abort', cut);
    release();
  };
  const key = provider.key ?? '';
  const { body, exceeded } = boundedBody(request, client.limits.body_bytes);
  const patience = startTimer(env.timeouts.firstByte, cut);
  try {
    const answer = await env.send(`${provider.baseUrl}${endpoint}${search}`, {
      method: request.method,
      headers: providerHeaders(request.headers, key, body !== null),
      body,
      signal: connection.signal,
    });
    // Some runtimes end a request well whose body broke off.
    const refused = exceeded() ? tooLarge : refusalFor(answer.status);
    if (refused) {
      over();
      cut();
      return refused;
    }
    if (answer.status >= 400) {
      const error = await providerError(answer, key);
      over();
      return error;
    }
    return passedOn(answer, { env, entry, over, cut });
  } catch (error) {
    over();
    cut();
    const code = codeOf(error);
    entry.note({ cause: code });
    if (request.signal.aborted) {
      entry.head(clientLeft);
      entry.end('aborted');
    }
    if (exceeded()) return tooLarge;
    const tooLate = patience.expired() || code === 'NETWORK_TIMEOUT';
    return { refused: tooLate ? 'provider_timeout' : 'provider_unreachable' };
  } finally {
    patience.stop();
  }
}

const tooLarge: Refusal = { refused: 'relay_body_too_large' };

/** nginx's status for a client that left before it was answered; only the log sees it. */
const clientLeft = 499;

/** What a client must not take for an answer to itself. */
function refusalFor(status: number): Refusal | undefined {
  // The client's own key was good; its 401 would send people to look at the wrong one.
  if (status === 401 || status === 407) return { refused: 'provider_key_refused' };
  if (status >= 300 && status < 400) return { refused: 'provider_redirect' };
  return undefined;
}

interface Passing {
  readonly env: RelayEnv;
  readonly entry: AccessEntry;
  readonly over: () => void;
  readonly cut: () => void;
}

function passedOn(answer: Response, { env, entry, over, cut }: Passing): Response {
  const { status, body } = answer;
  const headers = clientHeaders(answer.headers);
  entry.head(status);
  if (body === null) {
    over();
    return new Response(null, { status, headers });
  }
  const passing = passThrough(body, {
    idle: env.timeouts.idle,
    onBytes: (bytes) => entry.count(bytes),
    onEnd(ending) {
      over();
      entry.end(ending);
    },
    cut,
  });
  return new Response(passing, { status, headers });
}

function startTimer(milliseconds: number, act: () => void) {
  let expired = false;
  const timer = setTimeout(() => {
    expired = true;
    act();
  }, milliseconds);
  return { expired: () => expired, stop: () => clearTimeout(timer) };
}

/** Only a code: the words of an error may name addresses. */
function codeOf(error: unknown): string {
  const found = error as { code?: unknown; name?: unknown } | null;
  return String(found?.code ?? found?.name ?? 'unknown').slice(0, 64);
}
