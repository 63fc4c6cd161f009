import { AccessEntry } from './access.ts';
import { admit } from './admit.ts';
import type { RelayEnv } from './env.ts';
import { forward } from './forward.ts';
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
