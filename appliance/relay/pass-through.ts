import type { Passage } from './passage.ts';

/**
 * Passes a body on piece by piece as it comes, and asks for the next piece only when the client has
 * taken the last one. A body that breaks off breaks off for the client as well: it never looks whole.
 * @param idle milliseconds that the provider may stay silent while the client waits for it
 */
export function passThrough(
  body: ReadableStream<Uint8Array>,
  passage: Passage,
  idle: number,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let silent = false;
        const timer = setTimeout(() => {
          silent = true;
          passage.cut();
        }, idle);
        try {
          const { done, value } = await reader.read();
          if (done) {
            passage.end('complete');
            controller.close();
          } else {
            passage.count(value.byteLength);
            controller.enqueue(value);
          }
        } catch (error) {
          passage.end(silent ? 'timeout' : 'broken');
          controller.error(error);
        } finally {
          clearTimeout(timer);
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
