import type { Ending } from './access.ts';

/** What is told about a body on its way. */
export interface Passage {
  /** Milliseconds that the provider may stay silent while the client waits for it. */
  readonly idle: number;
  readonly onBytes: (bytes: number) => void;
  /** Called once. */
  readonly onEnd: (ending: Ending) => void;
  /** Cuts the connection to the provider. */
  readonly cut: () => void;
}

/**
 * Passes a body on piece by piece as it comes, and asks for the next piece only when the client has
 * taken the last one. A body that breaks off breaks off for the client as well: it never looks whole.
 */
export function passThrough(
  body: ReadableStream<Uint8Array>,
  { idle, onBytes, onEnd, cut }: Passage,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let silent = false;
        const timer = setTimeout(() => {
          silent = true;
          cut();
        }, idle);
        try {
          const { done, value } = await reader.read();
          if (done) {
            onEnd('complete');
            controller.close();
            return;
          }
          onBytes(value.byteLength);
          controller.enqueue(value);
        } catch (error) {
          onEnd(silent ? 'timeout' : 'broken');
          controller.error(error);
        } finally {
          clearTimeout(timer);
        }
      },
      async cancel(reason) {
        onEnd('aborted');
        cut();
        await reader.cancel(reason).catch(() => {});
      },
    },
    { highWaterMark: 0 },
  );
}
