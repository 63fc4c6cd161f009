import { answerCost, freeCost, type Kept, promptCost } from './cost.ts';
import type { Format } from './format.ts';
import { namesInData } from './openai.ts';

/**
 * The fields of Ollama's own API that concern one request. Others change a model for all keys:
 * `keep_alive` unloads or pins it, and `num_ctx` and the other options of its runner load it again.
 */
const fields: Kept = {
  names: new Set([
    ...['model', 'name', 'verbose', 'stream', 'options', 'format', 'think', 'truncate', 'shift'],
    ...['messages', 'tools', 'prompt', 'suffix', 'images', 'system', 'template', 'context', 'raw'],
    ...['input', 'dimensions', 'logprobs', 'top_logprobs'],
  ]),
  inside: {
    options: new Set([
      ...['num_predict', 'num_keep', 'seed', 'stop', 'temperature', 'top_k', 'top_p', 'min_p'],
      ...['typical_p', 'tfs_z', 'repeat_last_n', 'repeat_penalty', 'presence_penalty'],
      ...['frequency_penalty', 'penalize_newline', 'mirostat', 'mirostat_tau', 'mirostat_eta'],
    ]),
  },
};

/**
 * The API of Ollama: its own, and those of OpenAI and Anthropic that it serves. Only endpoints that run
 * or list models: no endpoint that pulls, creates, copies, pushes or deletes a model, and no blobs. It
 * has no keys.
 */
export const ollama: Format = {
  roots: [''],
  endpoints: [
    { path: /^\/v1\/models$/, method: 'GET' },
    { path: /^\/v1\/models(?:\/[\w:@-][\w.:@-]*){1,4}$/, method: 'GET' },
    {
      // Ollama reads no other limit and returns one answer.
      path: /^\/v1\/(?:chat\/)?completions$/,
      method: 'POST',
      cost: answerCost(['max_tokens'], { hasStreamOptions: true }),
    },
    { path: /^\/v1\/responses$/, method: 'POST', cost: answerCost(['max_output_tokens']) },
    { path: /^\/v1\/embeddings$/, method: 'POST', cost: promptCost },
    { path: /^\/v1\/messages$/, method: 'POST', cost: answerCost(['max_tokens']) },
    // Ollama has none, and Claude Code asks for it.
    { path: /^\/v1\/messages\/count_tokens$/, method: 'POST', cost: freeCost, isCount: true },
    { path: /^\/api\/(?:tags|ps)$/, method: 'GET', isNamedList: true },
    { path: /^\/api\/version$/, method: 'GET' },
    { path: /^\/api\/show$/, method: 'POST', cost: { ...freeCost, fields } },
    {
      path: /^\/api\/(?:chat|generate)$/,
      method: 'POST',
      cost: answerCost(['options.num_predict'], { streams: 'default', fields }),
    },
    { path: /^\/api\/embed(?:dings)?$/, method: 'POST', cost: { ...promptCost, fields } },
  ],
  forwarded: [],
  keyHeaders: () => ({}),
  models: { path: '/v1/models', names: namesInData },
  // `code` is an addition: Ollama's clients read `error` only.
  errorBody: (_status, { message, code }) => ({
    error: message,
    ...(code === null ? {} : { code }),
  }),
};
