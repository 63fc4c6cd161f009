import { findModel, generation, type Step } from './generate.ts';
import type { Memory } from './memory.ts';
import { displayName, type ModelStore } from './model-store.ts';
import { events, json } from './replies.ts';

interface ChatRequest {
  readonly model?: string;
  readonly messages?: ReadonlyArray<{ readonly role: string; readonly content: string }>;
  readonly stream?: boolean;
  readonly max_tokens?: number;
  readonly temperature?: number;
  readonly seed?: number;
}

/** `GET /v1/models` (SPEC 4, E3). */
export async function listModels(store: ModelStore): Promise<Response> {
  const data = (await store.list()).map((model) => ({
    id: displayName(model),
    object: 'model',
    created: Math.floor(model.modified.getTime() / 1000),
    owned_by: 'library',
  }));
  return json({ object: 'list', data });
}

/** `POST /v1/chat/completions`. */
export async function chatCompletion(
  request: ChatRequest,
  store: ModelStore,
  memory: Memory,
): Promise<Response> {
  const asked = request.model ?? '';
  const model = await findModel(asked, store);
  if (!model) return notFound(asked);
  const { llama } = await memory.load(model);
  const { max_tokens, temperature, seed, messages = [] } = request;
  const options = {
    ...(max_tokens === undefined ? {} : { num_predict: max_tokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(seed === undefined ? {} : { seed }),
  };
  const prompt = `${messages.map(({ role, content }) => `${role}: ${content}\n`).join('')}assistant: `;
  const steps = generation(llama, prompt, { options });
  const about = {
    id: `chatcmpl-${Math.floor(Math.random() * 1000)}`,
    created: Math.floor(Date.now() / 1000),
    model: asked,
    system_fingerprint: 'fp_ollama',
  };
  if (request.stream) return events(chunks(steps, about));
  return json(await whole(steps, about));
}

async function* chunks(steps: AsyncIterable<Step>, about: object) {
  const chunk = (delta: object, reason: string | null) => ({
    ...about,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: reason }],
  });
  for await (const step of steps) {
    if (step.kind === 'text') yield chunk({ role: 'assistant', content: step.text }, null);
    else yield chunk({ role: 'assistant', content: '' }, 'stop');
  }
}

async function whole(steps: AsyncIterable<Step>, about: object): Promise<object> {
  let content = '';
  let usage = {};
  for await (const step of steps) {
    if (step.kind === 'text') content += step.text;
    else {
      const { promptTokens, tokens } = step.result;
      usage = {
        prompt_tokens: promptTokens,
        completion_tokens: tokens,
        total_tokens: promptTokens + tokens,
      };
    }
  }
  const message = { role: 'assistant', content };
  return {
    ...about,
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage,
  };
}

function notFound(model: string): Response {
  const error = {
    message: `model '${model}' not found`,
    type: 'not_found_error',
    param: null,
    code: null,
  };
  return json({ error }, 404);
}
