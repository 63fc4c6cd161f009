import { countRequest } from '../../../../appliance/relay/budget/request.ts';
import { anthropic } from '../../../../appliance/relay/formats/anthropic.ts';
import { type Format, matchEndpoint } from '../../../../appliance/relay/formats/format.ts';
import { gemini } from '../../../../appliance/relay/formats/gemini.ts';
import { ollama } from '../../../../appliance/relay/formats/ollama.ts';
import { hub, openai } from '../../../../appliance/relay/formats/openai.ts';

export const chat = '/openai/v1/chat/completions';
const formats: Readonly<Record<string, Format>> = { openai, anthropic, gemini, local: ollama, hub };

/** Counts a request to a path such as `/local/api/chat`. */
export function count(
  body: string | object,
  path = chat,
  countsTokens = true,
  refused: string[] = [],
) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const [, name = '', rest = ''] = /^\/(\w+)(.*)$/.exec(path) ?? [];
  const format = formats[name];
  const cost = format && matchEndpoint(format, rest)?.endpoint.cost;
  if (!cost) throw new Error(`no endpoint has the path ${path}`);
  return countRequest(new TextEncoder().encode(text), cost, countsTokens, new Set(refused));
}
