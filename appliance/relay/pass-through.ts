import type { Filter } from './filter.ts';
import type { Passage } from './passage.ts';

/**
 * Passes a body on piece by piece as it comes, and asks for the next piece only when the client has
 * taken the last one. A body that breaks off breaks off for the client as well: it never looks whole.
 * @param filter takes out what a client must not see
 * @param idle milliseconds that the provider may stay silent while the client waits for it
 */
export function passThrough(
  body: ReadableStream<Uint8Array>,
  filter: Filter,
  passage: Passage,
  idle: number,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let silent = false;

  /** The next piece to pass on; nothing at the end. */
  async function next(): Promise<Uint8Array | undefined> {
    for (;;) {
      const timer = setTimeout(() => {
        silent = true;
        passage.cut();
      }, idle);
      const { done, value } = await reader.read().finally(() => clearTimeout(timer));
      if (done) return undefined;
      const piece = filter.push(value);
      if (piece.byteLength > 0) return piece;
    }
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const pass = (piece: Uint8Array) => {
          passage.count(piece.byteLength);
          if (piece.byteLength > 0) controller.enqueue(piece);
        };
        try {
          const piece = await next();
          if (piece) return pass(piece);
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
