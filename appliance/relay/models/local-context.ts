import { parseJson } from '#contract/text/json.ts';
import { maxPromptTokens, tokensOfBytes } from '../budget/estimate.ts';
import { securityHeaders } from '../headers.ts';
import type { Answer, Fields } from '../message.ts';
import type { Provider } from '../provider.ts';
import type { Refusal } from '../refusal.ts';

/** No text of a conversation has more bytes per token on average: English has 4.5, Chinese 4, code 3. */
const maxBytesPerToken = 8;

/**
 * Returns whether a request may be longer than the context of the local models, by its declared size. Only these
 * are read for it.
 */
export function mayExceed({ context }: Provider, headers: Fields): boolean {
  if (context === undefined) return false;
  return Number(headers.get('content-length') ?? 0) > context * maxBytesPerToken;
}

/**
 * Returns the refusal for a body that is certainly longer than the context of the local models: Ollama leaves
 * out its beginning without a word. The message has the words by which clients recognize it.
 */
export function refuseTooLong({ context }: Provider, body: Uint8Array): Refusal | undefined {
  if (context === undefined) return undefined;
  const tokens = Math.ceil(maxPromptTokens(parseJson(body), body.length) / maxBytesPerToken);
  if (tokens <= context) return undefined;
  return {
    refused: 'context_length_exceeded',
    message: `prompt is too long: more than ${tokens} tokens > ${context} maximum context length. Shorten the conversation, or set a larger context in the site of the server`,
  };
}

/**
 * Answers a request to count the tokens of a prompt, which Ollama has no endpoint for: an estimate, which is higher
 * than the count for nearly all text.
 */
export function countedTokens(body: Uint8Array): Answer {
  const input_tokens = tokensOfBytes(maxPromptTokens(parseJson(body), body.length));
  return {
    status: 200,
    headers: { 'content-type': 'application/json', ...securityHeaders },
    body: `${JSON.stringify({ input_tokens })}\n`,
  };
}
