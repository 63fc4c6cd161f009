import type { Body } from './message.ts';

/**
 * Reads the start of a body and cancels the rest.
 * @param limit maximum number of characters, give or take a chunk
 */
export async function readStart(body: Body | null, limit: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  if (body === null) return text;
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length >= limit) break;
  }
  return text;
}
