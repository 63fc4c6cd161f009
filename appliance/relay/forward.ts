import type { AccessEntry } from './access.ts';
import type { Admission } from './admit.ts';
import { boundedBody } from './bounded-body.ts';
import type { RelayEnv } from './env.ts';
import { clientHeaders, providerHeaders } from './headers.ts';
import { passThrough } from './pass-through.ts';
import { Passage } from './passage.ts';
import { providerError } from './provider-error.ts';
import { answerFilter } from './redact/answer-filter.ts';
import type { Refusal } from './refusal.ts';

/**
 * Sends an admitted request to its provider and streams the response back. When the client
 * disconnects, the request to the provider is aborted.
 */
export async function forward(
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
