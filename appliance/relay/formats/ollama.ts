import type { Format } from './format.ts';
import { namesInData } from './openai.ts';

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
    { path: /^\/v1\/(?:(?:chat\/)?completions|responses|embeddings|messages)$/, method: 'POST' },
    { path: /^\/api\/(?:tags|ps|version)$/, method: 'GET' },
    { path: /^\/api\/(?:show|chat|generate|embed)$/, method: 'POST' },
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
