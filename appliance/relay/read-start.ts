/**
 * Reads the start of a body and cancels the rest.
 * @param limit maximum number of characters, give or take a chunk
 */
export async function readStart(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<string> {
  if (body === null) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (text.length < limit) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel().catch(() => {});
  return text;
}
