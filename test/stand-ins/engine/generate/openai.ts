import type { Memory } from '../models/memory.ts';
import { displayName, type ModelStore } from '../models/model-store.ts';
import { events, json } from '../replies.ts';
import { findModel, prepare, promptOf } from './generate.ts';
import { generation, type Step } from './generation.ts';
import type { Completion } from './llama.ts';

interface ChatRequest {
  readonly model?: string;
  readonly messages?:
    | ReadonlyArray<{ readonly role: string; readonly content: string }>
    | null
    | undefined;
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

/**
 * `POST /v1/chat/completions` (`middleware/openai.go`, `ChatMiddleware`; `openai/openai.go`). The
 * default temperature differs from that of Ollama's own API.
 */
export async function chatCompletion(
  request: ChatRequest,
  store: ModelStore,
  memory: Memory,
): Promise<Response> {
  const { model: asked = '', max_tokens, temperature = 1, seed } = request;
  const messages = request.messages ?? [];
  if (messages.length === 0) return refused(400, "[] is too short - 'messages'");
  if (asked === '') return refused(400, 'model is required');
  const model = await findModel(asked, store);
  if (!model) return refused(404, `model '${asked}' not found`);
  const options = { num_predict: max_tokens, temperature, seed };
  const prepared = await prepare({ model: asked, options }, model, 'chat', store, memory);
  if (prepared instanceof Response) return await asOpenAi(prepared);
  const { llama } = await memory.load(model);
  const steps = generation(llama, promptOf({ messages }), prepared);
  const about = {
    id: `chatcmpl-${Math.floor(Math.random() * 1000)}`,
    created: Math.floor(Date.now() / 1000),
    model: asked,
    system_fingerprint: 'fp_ollama',
  };
  if (request.stream) return events(chunks(steps, about));
  return json(await whole(steps, about));
}

async function* chunks(steps: AsyncIterable<Step>, about: object): AsyncGenerator<object | string> {
  const chunk = (delta: object, reason: string | null): object => ({
    ...about,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: reason }],
  });
  for await (const step of steps) {
    if (step.kind === 'text') yield chunk({ role: 'assistant', content: step.text }, null);
    else {
      yield chunk({ role: 'assistant', content: '' }, reasonOf(step.result));
      yield '[DONE]';
    }
  }
}

async function whole(steps: AsyncIterable<Step>, about: object): Promise<object> {
  let content = '';
  let usage = {};
  let reason: string | null = null;
  for await (const step of steps) {
    if (step.kind === 'text') content += step.text;
    else {
      const { promptTokens, tokens } = step.result;
      reason = reasonOf(step.result);
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
    choices: [{ index: 0, message, finish_reason: reason }],
    usage,
  };
}

function reasonOf({ cut }: Completion): string {
  return cut ? 'length' : 'stop';
}

/** Converts an error of Ollama's own API to OpenAI's form. */
async function asOpenAi(response: Response): Promise<Response> {
  const { error } = (await response.json()) as { error: string };
  return refused(response.status, error);
}

/** Renders an error (`openai/openai.go`, `NewError`). */
function refused(status: number, message: string): Response {
  const types: Readonly<Record<number, string>> = {
    400: 'invalid_request_error',
    404: 'not_found_error',
  };
  const type = types[status] ?? 'api_error';
  return json({ error: { message, type, param: null, code: null } }, status);
}
