import type { Answer, Body, RelayRequest } from './message.ts';

/** Returns a request of the Fetch standard as one to the relay. */
export function requestOf(request: Request): RelayRequest {
  const { method, url, headers, signal } = request;
  return { method, url, headers, signal, body: bodyOf(request) };
}

/** Returns the body of a message of the Fetch standard. Not all platforms can iterate over a stream. */
export function bodyOf({ body }: Request | Response): Body | null {
  return body && chunksOf(body);
}

/** Returns the response of the relay as one of the Fetch standard. */
export function responseOf({ status, headers, body }: Answer): Response {
  return new Response(body !== null && typeof body !== 'string' ? streamOf(body) : body, {
    status,
    headers,
  });
}

async function* chunksOf(stream: ReadableStream<Uint8Array>): Body {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** Returns a body as a stream of the Fetch standard. */
export function streamOf(body: Body): ReadableStream<Uint8Array<ArrayBuffer>> {
  const chunks = body[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(new Uint8Array(value));
      },
      async cancel() {
        await chunks.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
