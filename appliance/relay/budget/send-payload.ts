import type { Outgoing, Send } from '../provider.ts';
import { readStart } from '../read-start.ts';
import type { Payload } from './request.ts';

/** Characters of an error that are searched. */
const maxError = 64 * 1024;

/**
 * Sends a request with a body that was read. When the provider rejects the field that the relay added,
 * sends the original body once.
 * @param onReject called when the provider rejects the field
 */
export async function sendPayload(
  send: Send,
  url: string,
  outgoing: Outgoing,
  { body, original }: Payload,
  onReject: () => void,
): Promise<Response> {
  const answer = await send(url, withBody(outgoing, body));
  if (original === undefined || answer.status !== 400) return answer;
  const text = await readStart(answer.body, maxError);
  if (/stream_options|include_usage/.test(text)) {
    onReject();
    return send(url, withBody(outgoing, original));
  }
  return new Response(text, { status: answer.status, headers: answer.headers });
}

function withBody(outgoing: Outgoing, bytes: Uint8Array): Outgoing {
  const headers = new Headers(outgoing.headers);
  headers.set('content-length', `${bytes.length}`);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      if (bytes.length > 0) controller.enqueue(bytes);
      controller.close();
    },
  });
  return { ...outgoing, headers, body };
}
