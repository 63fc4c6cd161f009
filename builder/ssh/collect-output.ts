import type { Readable } from 'node:stream';

/**
 * Collects what a command prints, up to a limit.
 * @param onExcess called when there is more; the rest is discarded
 */
export async function collectOutput(
  stream: Readable,
  maxBytes: number,
  onExcess: () => void,
): Promise<string> {
  const chunks: Buffer[] = [];
  let total = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const room = maxBytes - total;
    total += chunk.length;
    if (room > 0) chunks.push(chunk.subarray(0, room));
    if (total > maxBytes) onExcess();
  }
  return Buffer.concat(chunks).toString();
}
