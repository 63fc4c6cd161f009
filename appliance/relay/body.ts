import type { Body, Fields, RelayRequest } from './message.ts';

/** A request body with a maximum size. */
export interface BoundedBody {
  readonly body: Body | null;
  /** Whether the body exceeded the limit. */
  exceeded(): boolean;
}

/**
 * Limits the size of a request body. A body with `Content-Length` passes unchanged: its length was
 * checked before, and HTTP enforces it. Other bodies are counted chunk by chunk.
 */
export function boundedBody({ body, headers }: RelayRequest, limit: number): BoundedBody {
  if (body === null || headers.get('content-length') !== null)
    return { body, exceeded: () => false };
  const source = body;
  let received = 0;
  async function* counted() {
    for await (const chunk of source) {
      received += chunk.byteLength;
      if (received > limit) throw new RangeError('the request is too large');
      yield chunk;
    }
  }
  return { body: counted(), exceeded: () => received > limit };
}

/** Returns whether a body is JSON by its type. `curl -d` sends the type of a form. */
export function isJsonType({ headers }: { readonly headers: Fields }): boolean {
  const type = headers.get('content-type') ?? '';
  return type === '' || /[/+]json\b|x-www-form-urlencoded|^text\/plain/i.test(type);
}
