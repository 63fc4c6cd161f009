import { goNetworkError } from './go-errors.ts';

/** Handles a redirect: follows it, returns it as the response, or throws. */
export type RedirectPolicy = (next: URL, followed: number) => 'follow' | 'stop';

export interface GoRequest {
  readonly method: 'GET' | 'HEAD';
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly onRedirect?: RedirectPolicy;
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Sends a request and follows redirects as Go's `net/http` does (`client.go`). A redirect without a
 * Location is a response.
 * @throws Error with the message of Go's `url.Error`
 */
export async function goRequest(request: GoRequest): Promise<Response> {
  const { method, headers = {}, onRedirect = tenAtMost } = request;
  let { url } = request;
  for (let followed = 1; ; followed += 1) {
    const response = await fetch(url, { method, headers, redirect: 'manual' }).catch(
      (error: unknown) => {
        throw urlError(method, url, goNetworkError(error, url));
      },
    );
    const location = response.headers.get('location');
    if (!redirects.has(response.status) || location === null) return response;
    const next = new URL(location, url);
    if (decision(onRedirect, next, followed, method) === 'stop') return response;
    await response.body?.cancel();
    url = next;
  }
}

function decision(policy: RedirectPolicy, next: URL, followed: number, method: string) {
  try {
    return policy(next, followed);
  } catch (error) {
    throw urlError(method, next, error instanceof Error ? error.message : String(error));
  }
}

function tenAtMost(_next: URL, followed: number): 'follow' {
  if (followed >= 10) throw new Error('stopped after 10 redirects');
  return 'follow';
}

function urlError(method: string, url: URL, cause: string): Error {
  const verb = `${method.slice(0, 1)}${method.slice(1).toLowerCase()}`;
  return new Error(`${verb} ${JSON.stringify(url.href)}: ${cause}`);
}
