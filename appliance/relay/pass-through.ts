import type { Passage } from './passage.ts';
import type { Filter } from './redact/redaction.ts';

/**
 * Streams a body chunk by chunk. Reads a chunk only when the client has taken the previous one. When
 * the body fails, the client's body fails too, so a truncated response never looks complete.
 * @param filter removes what the client must not see
 * @param idle stall timeout of the provider, in milliseconds
 */
export function passThrough(
  body: ReadableStream<Uint8Array>,
  filter: Filter,
  passage: Passage,
  idle: number,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let silent = false;

  /** Returns the next chunk to send; undefined at the end. */
  async function next(): Promise<Uint8Array | undefined> {
    for (;;) {
      const timer = setTimeout(() => {
        silent = true;
        passage.cut();
      }, idle);
      const { done, value } = await reader.read().finally(() => clearTimeout(timer));
      if (done) return undefined;
      const chunk = filter.push(value);
      if (chunk.byteLength > 0 || filter.isEnded) return chunk;
    }
  }

  /** Ends the body before the provider does. */
  function end(controller: ReadableStreamDefaultController<Uint8Array>): void {
    passage.end('complete');
    controller.close();
    passage.cut();
    void reader.cancel().catch(() => {});
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const pass = (chunk: Uint8Array) => {
          passage.count(chunk.byteLength);
          if (chunk.byteLength > 0) controller.enqueue(chunk);
        };
        try {
          const chunk = await next();
          if (chunk) pass(chunk);
          if (filter.isEnded) return end(controller);
          if (chunk) return;
          pass(filter.end());
          passage.end('complete');
          controller.close();
        } catch (error) {
          passage.end(silent ? 'timeout' : 'broken');
          controller.error(error);
        }
      },
      async cancel(reason) {
        passage.end('aborted');
        await reader.cancel(reason).catch(() => {});
      },
    },
    { highWaterMark: 0 },
  );
}
