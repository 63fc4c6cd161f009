import type { Readable } from 'node:stream';

/**
 * Collects what a command prints, up to a limit.
 * @param onExcess called when there is more; it destroys the stream
 */
export async function collectOutput(
  stream: Readable,
  maxBytes: number,
  onExcess: () => void,
): Promise<string> {
  const chunks: Buffer[] = [];
  let total = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    total += chunk.length;
    if (total > maxBytes) onExcess();
    else chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
