/** Returns a JSON response. */
export function json(value: unknown, status = 200): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
  });
}

/** Returns an error in Ollama's form. */
export function failure(status: number, message: string): Response {
  return json({ error: message }, status);
}

/**
 * Streams one JSON object per line. An error during the stream becomes the last line, because the
 * status is already sent.
 */
export function lines(objects: AsyncIterable<object>): Response {
  return streamed(
    'application/x-ndjson',
    mapped(objects, (each) => `${JSON.stringify(each)}\n`),
  );
}

/** Streams server-sent events. A string is sent unchanged: OpenAI's last event is `[DONE]`. */
export function events(values: AsyncIterable<object | string>): Response {
  const data = (value: object | string) =>
    typeof value === 'string' ? value : JSON.stringify(value);
  return streamed(
    'text/event-stream',
    mapped(values, (each) => `data: ${data(each)}\n\n`),
  );
}

function streamed(type: string, texts: AsyncIterable<string>): Response {
  return new Response(ReadableStream.from(encoded(texts)), { headers: { 'content-type': type } });
}

async function* encoded(texts: AsyncIterable<string>) {
  const encoder = new TextEncoder();
  for await (const text of texts) yield encoder.encode(text);
}

async function* mapped<Value>(
  values: AsyncIterable<Value>,
  write: (value: Value | { error: string }) => string,
) {
  try {
    for await (const value of values) yield write(value);
  } catch (error) {
    yield write({ error: error instanceof Error ? error.message : String(error) });
  }
}
