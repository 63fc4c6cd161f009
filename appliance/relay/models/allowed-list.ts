import { concatBytes } from '#contract/text/bytes.ts';
import { parseJson } from '#contract/text/json.ts';
import { nameOf } from '../formats/gemini.ts';
import type { Body } from '../message.ts';
import { readStart } from '../read-start.ts';
import { answerFilter } from '../redact/answer-filter.ts';
import { fieldsOf } from '../redact/redaction.ts';
import { maxList } from './model-lists.ts';

/** The models of a list that a client sees. */
export interface ListFilter {
  /** OpenAI's lists have `data`, those of Gemini and Ollama `models`. */
  readonly field: 'data' | 'models';
  readonly seen: (names: readonly string[]) => readonly string[];
}

/**
 * Returns a list with only the models that a client sees, and all that the provider says of these, as JSON;
 * undefined for anything else.
 * @param key of the provider, which may quote it
 * @throws what the body throws
 */
export async function allowedList(
  body: Body | null,
  filter: ListFilter,
  key: string,
): Promise<string | undefined> {
  const list = allowedIn(parseJson(await readStart(body, maxList)), filter);
  if (list === undefined) return undefined;
  const redaction = answerFilter('application/json', key);
  const shown = redaction.push(new TextEncoder().encode(JSON.stringify(list)));
  return new TextDecoder().decode(concatBytes(shown, redaction.end()));
}

function allowedIn(list: unknown, { field, seen }: ListFilter): object | undefined {
  // Together AI sends an array in place of OpenAI's object.
  const models = field === 'data' && Array.isArray(list) ? list : fieldsOf(list)[field];
  if (!Array.isArray(models)) return undefined;
  const named = (model: unknown) => (field === 'data' ? `${fieldsOf(model).id}` : nameOf(model));
  const names = new Set(seen(models.map(named)));
  const allowed = models.filter((model) => names.has(named(model)));
  return models === list ? allowed : { ...fieldsOf(list), [field]: allowed };
}
