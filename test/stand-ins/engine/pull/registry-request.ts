import { type GoRequest, goRequest } from './go-http.ts';

/**
 * Sends a request to a registry as Ollama does (`server/images.go`, `makeRequestWithRetry`): every
 * status below 400 is a response.
 * @throws Error with Ollama's message
 */
export async function registryRequest(request: GoRequest): Promise<Response> {
  const response = await goRequest(request);
  const { status, headers } = response;
  if (status < 400) return response;
  const body = await response.text();
  if (status === 401) throw refusal(headers.get('www-authenticate') ?? '', request.url);
  if (status === 404) throw new Error('file does not exist');
  throw new Error(`${status}: ${body}`);
}

/** Tokens come only from the registry's own host (`server/auth.go`). The stand-in has no key. */
function refusal(challenge: string, { host }: URL): Error {
  const realm = /realm="([^"]*)"/.exec(challenge)?.[1] ?? '';
  const found = URL.canParse(realm) ? new URL(realm).host : '';
  if (found === host) return new Error('unauthorized: access denied');
  return new Error(
    `realm host ${JSON.stringify(found)} does not match original host ${JSON.stringify(host)}`,
  );
}
