import type { Fields } from '../message.ts';
import { anthropic } from './anthropic.ts';
import type { Format } from './format.ts';
import { gemini } from './gemini.ts';
import { ollama } from './ollama.ts';
import { openai } from './openai.ts';

/** Formats by their name in settings (`api`). */
export const formats = { openai, anthropic, gemini } as const satisfies Readonly<
  Record<string, Format>
>;

/**
 * Returns the format of a client by its request alone, so that an error without a valid key gives no
 * information about providers. Errors have this format, and a key may be in its header.
 */
export function requestFormat(pathname: string, headers: Fields): Format {
  if (/^\/(?:[a-z][a-z0-9-]{0,31}\/)?v1beta\/|:[a-zA-Z]+Contents?$|:countTokens$/.test(pathname))
    return gemini;
  if (/^\/(?:[a-z][a-z0-9-]{0,31}\/)?api\//.test(pathname)) return ollama;
  if (/\/messages(?:\/|$)/.test(pathname)) return anthropic;
  if (headers.get('anthropic-version') !== null) return anthropic;
  if (headers.get('authorization') !== null) return openai;
  if (headers.get('x-goog-api-key') !== null) return gemini;
  return headers.get('x-api-key') !== null ? anthropic : openai;
}
