/** A request body with a maximum size. */
export interface BoundedBody {
  readonly body: ReadableStream<Uint8Array> | null;
  /** Whether the body exceeded the limit. */
  exceeded(): boolean;
}

/**
 * Limits the size of a request body. A body with `Content-Length` passes unchanged: its length was
 * checked before, and HTTP enforces it. Other bodies are counted chunk by chunk.
 */
export function boundedBody(request: Request, limit: number): BoundedBody {
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

/** Returns whether a body is JSON by its type. `curl -d` sends the type of a form. */
export function isJsonType({ headers }: Pick<Request, 'headers'>): boolean {
  const type = headers.get('content-type') ?? '';
  return type === '' || /[/+]json\b|x-www-form-urlencoded|^text\/plain/i.test(type);
}
