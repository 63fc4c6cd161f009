import { concatBytes } from '#contract/text/bytes.ts';
import { parseJson } from '#contract/text/json.ts';
import { isModelAllowed } from '../budget/terms.ts';
import { nameOf } from '../formats/gemini.ts';
import type { Body } from '../message.ts';
import { readStart } from '../read-start.ts';
import { answerFilter } from '../redact/answer-filter.ts';
import { fieldsOf } from '../redact/redaction.ts';
import { maxList } from './model-lists.ts';

/**
 * Returns a list of Gemini or Ollama with only the models that a key may use, and all that the provider
 * says of these, as JSON; undefined for anything else.
 * @param key of the provider, which may quote it
 * @throws what the body throws
 */
export async function allowedList(
  body: Body | null,
  allowed: readonly string[],
  key: string,
): Promise<string | undefined> {
  const list = fieldsOf(parseJson(await readStart(body, maxList)));
  if (!Array.isArray(list.models)) return undefined;
  const models = list.models.filter((model) => isModelAllowed(allowed, nameOf(model)));
  const filter = answerFilter('application/json', key);
  const shown = filter.push(new TextEncoder().encode(JSON.stringify({ ...list, models })));
  return new TextDecoder().decode(concatBytes(shown, filter.end()));
}
