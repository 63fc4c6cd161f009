import { fieldsOf } from '../redact/redaction.ts';
import { answerCost, freeCost, promptCost } from './cost.ts';
import { bearerKey, type Format } from './format.ts';

/** Client headers of OpenAI's API. None of them identifies or locates the client. */
const forwarded = ['idempotency-key', 'openai-beta', 'x-client-request-id'];

/** Prompts that OpenAI keeps for its account. */
const stored = ['previous_response_id', 'conversation', 'prompt'];

/** OpenAI's API, which most providers have. Stored responses, files and batches are excluded. */
export const openai: Format = {
  roots: ['/v1'],
  endpoints: [
    { path: /^\/models$/, method: 'GET' },
    // Some providers use slashes in model names.
    { path: /^\/models(?:\/[\w:@-][\w.:@-]*){1,4}$/, method: 'GET' },
    {
      path: /^\/chat\/completions$/,
      method: 'POST',
      cost: answerCost(['max_tokens', 'max_completion_tokens'], {
        otherLimit: 'max_completion_tokens',
        answers: ['n'],
        uncounted: ['prediction'],
        hasStreamOptions: true,
      }),
    },
    {
      path: /^\/completions$/,
      method: 'POST',
      cost: answerCost(['max_tokens'], { answers: ['n', 'best_of'], hasStreamOptions: true }),
    },
    // All three are stateless. Stored responses are not.
    {
      path: /^\/responses(?:\/compact)?$/,
      method: 'POST',
      cost: answerCost(['max_output_tokens'], { uncounted: ['background', ...stored] }),
    },
    { path: /^\/responses\/input_tokens$/, method: 'POST', cost: freeCost },
    { path: /^\/embeddings$/, method: 'POST', cost: promptCost },
    { path: /^\/moderations$/, method: 'POST', cost: freeCost },
    {
      path: /^\/images\/(?:generations|edits|variations)$/,
      method: 'POST',
      cost: answerCost([], { answers: ['n'], hasFiles: true }),
    },
    {
      path: /^\/audio\/(?:speech|transcriptions|translations)$/,
      method: 'POST',
      cost: answerCost([], { hasFiles: true }),
    },
  ],
  forwarded,
  keyHeaders: bearerKey,
  models: { path: '/models', names: namesInData },
  // Codex sends a request with status 403 six times, and aider nine times.
  statuses: { 403: 400 },
  errorBody: (_status, error) => ({ error }),
};

/** The hosted inference of a model hub (SPEC 4, E4). Its models have a name, or organization and name. */
export const hub: Format = {
  roots: [''],
  endpoints: [
    {
      path: /^\/models(?:\/[\w-][\w.-]{0,95}){1,2}$/,
      method: 'POST',
      cost: answerCost(['parameters.max_new_tokens'], {
        // Not every task of a hub has text.
        isLimitable: false,
        answers: ['parameters.num_return_sequences'],
        hasFiles: true,
      }),
    },
  ],
  forwarded,
  keyHeaders: bearerKey,
  errorBody: openai.errorBody,
};

/** Returns the names in a list of OpenAI's and of Anthropic's API. */
export function namesInData(list: unknown): readonly unknown[] {
  const { data } = fieldsOf(list);
  return Array.isArray(data) ? data.map((model) => fieldsOf(model).id) : [];
}
