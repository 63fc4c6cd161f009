import { AccessEntry } from './access.ts';
import { admit } from './admit.ts';
import type { RelayEnv } from './env.ts';
import { forward } from './forward.ts';
import { isRefusal, type Refusal, refusalResponse } from './refusal.ts';

/** Answers without a key and asks no provider: the relay is up. */
const healthPath = '/health';

/**
 * The relay (SPEC E3, E5): takes a request with a relay key, passes it on with the provider's key,
 * and streams the answer back. Uses nothing but web standards, so it runs on Node and at an edge.
 * Never throws; what fails is an answer in the shape of OpenAI's errors.
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
  entry.note({ refused: refusal.refused });
  return finish(refusalResponse(refusal), entry);
}

/** For answers that are complete when they are given. */
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
