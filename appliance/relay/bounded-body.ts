/** A body that stops at a limit. */
interface BoundedBody {
  readonly body: ReadableStream<Uint8Array> | null;
  /** Whether more came than the limit allows. */
  exceeded(): boolean;
}

/**
 * Bounds the body of a request. One of announced length was judged already and passes untouched,
 * since HTTP holds it to its length; of others, every piece is counted.
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
