/**
 * The conventions of usage. Parts of one convention are added, never those of two. What details a part,
 * such as cached or reasoning tokens, is no part.
 */
const conventions = {
  /** OpenAI's chat and most gateways: cached input is part of the prompt. */
  chat: { prompt: ['prompt_tokens'], answer: ['completion_tokens'] },
  /** OpenAI's responses: the same. */
  responses: { prompt: ['input_tokens'], answer: ['output_tokens'] },
  /** Anthropic: cached input is not part of `input_tokens`, and there is no total. */
  messages: {
    prompt: ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'],
    answer: ['output_tokens'],
  },
  gemini: {
    prompt: ['promptTokenCount', 'toolUsePromptTokenCount'],
    answer: ['candidatesTokenCount', 'thoughtsTokenCount'],
  },
  ollama: { prompt: ['prompt_eval_count'], answer: ['eval_count'] },
} as const;
type Convention = (typeof conventions)[keyof typeof conventions];
const totals: readonly string[] = ['total_tokens', 'totalTokenCount'];
const known = new Set<string>(
  Object.values(conventions).flatMap(({ prompt, answer }) => [...prompt, ...answer, ...totals]),
);

/** The counts of one object, where later values replace earlier ones. */
class Counts {
  readonly #counts = new Map<string, number>();
  isInvalid = false;

  take(usage: object): boolean {
    const found = Object.keys(usage).filter((name) => known.has(name));
    if (found.length === 0) return false;
    this.isInvalid = false;
    for (const name of found) {
      const count = (usage as Readonly<Record<string, unknown>>)[name];
      if (count === null) continue;
      if (typeof count === 'number' && Number.isSafeInteger(count) && count >= 0)
        this.#counts.set(name, count);
      else this.isInvalid = true;
    }
    return true;
  }

  /** The provider's total, or its parts if there is none or if they are more. */
  get tokens(): number {
    const sums = this.#used().map(({ prompt, answer }) => this.#sum(prompt) + this.#sum(answer));
    return Math.max(this.#sum(totals), ...sums);
  }

  get prompt(): number {
    return Math.max(0, ...this.#used().map(({ prompt }) => this.#sum(prompt)));
  }

  #used(): Convention[] {
    const { chat, responses, messages, gemini, ollama } = conventions;
    const isAnthropic = !this.#counts.has('total_tokens') && !this.#counts.has('prompt_tokens');
    return [chat, isAnthropic ? messages : responses, gemini, ollama];
  }

  #sum(names: readonly string[]): number {
    return names.reduce((all, name) => all + (this.#counts.get(name) ?? 0), 0);
  }
}

/**
 * The tokens that a provider reports, from one or several values. A later value replaces an earlier
 * one field by field, because Anthropic sends the prompt first and the answer last.
 */
export class Reported {
  readonly #all = new Counts();
  /** Moonshot reports the usage of a stream in each of its choices. */
  readonly #choices = new Map<unknown, Counts>();

  /** Takes the usage in a value: a complete answer, or one event of a stream. */
  take(value: unknown): boolean {
    // Called for every event of a stream, so that nothing is copied.
    const fields = value as Readonly<Record<string, unknown>> | null | undefined;
    if (typeof fields !== 'object' || fields === null) return false;
    const usage = usageIn(fields);
    let isFound = usage !== undefined && this.#all.take(usage);
    if (Array.isArray(fields.choices))
      for (const choice of fields.choices) isFound = this.#takeChoice(choice) || isFound;
    return isFound;
  }

  /** The reported tokens; 0 without any. */
  get tokens(): number {
    return this.#sum(({ tokens }) => tokens);
  }

  /** The reported tokens of the prompt; 0 without any. */
  get prompt(): number {
    return this.#sum(({ prompt }) => prompt);
  }

  /** Whether the last usage can be used as it is. */
  get isValid(): boolean {
    const isInvalid = [this.#all, ...this.#choices.values()].some((each) => each.isInvalid);
    return !isInvalid && this.tokens > 0;
  }

  #takeChoice(choice: unknown): boolean {
    const usage = usageOf(choice);
    if (typeof usage !== 'object' || usage === null) return false;
    const { index } = choice as { index?: unknown };
    const counts = this.#choices.get(index) ?? new Counts();
    // A provider has a hundred choices at most.
    if (this.#choices.size < 128) this.#choices.set(index, counts);
    return counts.take(usage);
  }

  #sum(of: (counts: Counts) => number): number {
    const choices = [...this.#choices.values()].reduce((sum, each) => sum + of(each), 0);
    const sum = Math.max(of(this.#all), choices);
    return Number.isSafeInteger(sum) ? sum : 0;
  }
}

/** Returns the object with the counts of an answer or of one event. */
function usageIn(fields: Readonly<Record<string, unknown>>): object | undefined {
  const { usage, usageMetadata, response, message, x_groq: groq } = fields;
  const nested = usage ?? usageMetadata ?? usageOf(response) ?? usageOf(message) ?? usageOf(groq);
  if (typeof nested === 'object' && nested !== null) return nested;
  return 'eval_count' in fields || 'prompt_eval_count' in fields ? fields : undefined;
}

function usageOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'usage' in value ? value.usage : undefined;
}
