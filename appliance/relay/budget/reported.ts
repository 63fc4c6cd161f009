import { fieldsOf } from '../redact/redaction.ts';

/** Fields with numbers of tokens, in the APIs of OpenAI, Anthropic, Gemini and Ollama. */
const totals = ['total_tokens', 'totalTokenCount'] as const;
const parts = [
  // OpenAI: chat completions.
  'prompt_tokens',
  'completion_tokens',
  // OpenAI: responses. Anthropic: cached input is not part of `input_tokens`.
  'input_tokens',
  'output_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
  // Gemini: cached input is part of the prompt.
  'promptTokenCount',
  'candidatesTokenCount',
  'thoughtsTokenCount',
  'toolUsePromptTokenCount',
  // Ollama.
  'prompt_eval_count',
  'eval_count',
] as const;
const known: readonly string[] = [...totals, ...parts];

/**
 * The tokens that a provider reports, from one or several values. A later value replaces an earlier
 * one field by field, because Anthropic sends the prompt first and the answer last.
 */
export class Reported {
  readonly #counts = new Map<string, number>();
  #isInvalid = false;

  /** Takes the usage in a value: a complete answer, or one event of a stream. */
  take(value: unknown): boolean {
    const usage = usageIn(value);
    if (!usage) return false;
    const found = Object.entries(usage).filter(([name]) => known.includes(name));
    if (found.length === 0) return false;
    this.#isInvalid = false;
    for (const [name, count] of found) {
      if (count === null) continue;
      if (typeof count === 'number' && Number.isSafeInteger(count) && count >= 0)
        this.#counts.set(name, count);
      else this.#isInvalid = true;
    }
    return true;
  }

  /** The reported tokens; 0 without any. */
  get tokens(): number {
    const sum = (names: readonly string[]) =>
      names.reduce((all, name) => all + (this.#counts.get(name) ?? 0), 0);
    const total = Math.max(sum(totals), sum(parts));
    return Number.isSafeInteger(total) ? total : 0;
  }

  /** Whether the last usage can be used as it is. */
  get isValid(): boolean {
    return !this.#isInvalid && this.tokens > 0;
  }
}

/** Returns the object with the counts of an answer or of one event. */
function usageIn(value: unknown): Readonly<Record<string, unknown>> | undefined {
  // Called for every event of a stream, so that nothing is copied.
  const fields = value as Readonly<Record<string, unknown>> | null | undefined;
  if (typeof fields !== 'object' || fields === null) return undefined;
  const { usage, usageMetadata, response, message, x_groq: groq } = fields;
  const nested = usage ?? usageMetadata ?? usageOf(response) ?? usageOf(message) ?? usageOf(groq);
  if (typeof nested === 'object' && nested !== null) return fieldsOf(nested);
  return 'eval_count' in fields || 'prompt_eval_count' in fields ? fields : undefined;
}

function usageOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'usage' in value ? value.usage : undefined;
}
