import { capabilitiesOf } from '../models/capabilities.ts';
import type { Memory } from '../models/memory.ts';
import { type ModelName, parseModelName } from '../models/model-name.ts';
import { type GivenOptions, type ModelOptions, modelOptions } from '../models/model-options.ts';
import type { ModelStore, StoredModel } from '../models/model-store.ts';
import { failure, json, lines } from '../replies.ts';
import { duration } from '../settings.ts';
import { generation, type Step } from './generation.ts';

/** The common fields of `/api/generate` and `/api/chat`. */
export interface GenerationRequest {
  readonly model?: string;
  readonly prompt?: string;
  readonly messages?:
    | ReadonlyArray<{ readonly role: string; readonly content: string }>
    | undefined;
  readonly stream?: boolean;
  readonly keep_alive?: string | number;
  readonly think?: boolean;
  readonly tools?: readonly object[];
  readonly options?: GivenOptions;
}

/** Formats a piece of text, or the end, for one of the two endpoints. */
export interface Wording {
  /** Requested capability: `generate`, `chat`. */
  readonly kind: string;
  piece(text: string): object;
  end(text: string): object;
}

export const generateWording: Wording = {
  kind: 'generate',
  piece: (text) => ({ response: text }),
  end: (text) => ({ response: text }),
};

export const chatWording: Wording = {
  kind: 'chat',
  piece: (text) => ({ message: { role: 'assistant', content: text } }),
  end: (text) => ({ message: { role: 'assistant', content: text } }),
};

/** Handles `/api/generate` or `/api/chat`, as a stream of lines unless the request disables it. */
export async function generate(
  request: GenerationRequest,
  wording: Wording,
  store: ModelStore,
  memory: Memory,
): Promise<Response> {
  const asked = request.model ?? '';
  const model = await findModel(asked, store);
  if (!model) return failure(404, `model '${asked}' not found`);
  const prompt = promptOf(request);
  const keepAlive = request.keep_alive === undefined ? undefined : duration(request.keep_alive);
  if (prompt === '' && keepAlive === 0) {
    await memory.unload(model);
    return json(emptyAnswer(asked, wording, 'unload'));
  }
  if (request.think) return failure(400, `"${asked}" does not support thinking`);
  if (request.tools?.length && !(await capabilitiesOf(model, store)).includes('tools')) {
    return failure(400, `"${asked}" does not support tools`);
  }
  const prepared = await prepare({ ...request, model: asked }, model, wording.kind, store, memory);
  if (prepared instanceof Response) return prepared;
  const { llama, took } = await memory.load(model, keepAlive);
  if (prompt === '') return json(emptyAnswer(asked, wording, 'load'));
  // The vocabulary of the tiny model has one token per character.
  const tokens = JSON.stringify(request.tools ?? []).length - 2 + prompt.length;
  if (tokens > llama.contextLength) return failure(400, exceeds(tokens, llama.contextLength));
  const run = lined(asked, generation(llama, prompt, prepared), wording, took);
  if (request.stream !== false) return lines(run);
  return json(await collected(run, wording));
}

/** The error of llama-server, which Ollama since 0.32 runs for a model without a template of its own. */
function exceeds(tokens: number, context: number): string {
  return JSON.stringify({
    error: {
      code: 400,
      message: `request (${tokens} tokens) exceeds the available context size (${context} tokens), try increasing it`,
      type: 'exceed_context_size_error',
    },
  });
}

/**
 * Checks whether a model can run (`server/routes.go`, `scheduleRunner`).
 * @returns the options to run it with, or Ollama's error
 */
export async function prepare(
  { model: asked, options }: Pick<GenerationRequest, 'model' | 'options'>,
  model: StoredModel,
  kind: string,
  store: ModelStore,
  memory: Memory,
): Promise<ModelOptions | Response> {
  if (!(await capabilitiesOf(model, store)).includes('completion')) {
    return failure(400, `"${asked}" does not support ${kind}`);
  }
  try {
    const found = await modelOptions(model, store, options);
    const refusal = memory.refusal(model);
    return refusal ? failure(500, refusal) : found;
  } catch (error) {
    return failure(500, error instanceof Error ? error.message : String(error));
  }
}

export async function findModel(text: string, store: ModelStore): Promise<StoredModel | undefined> {
  const name: ModelName | undefined = parseModelName(text);
  return name ? await store.find(name) : undefined;
}

/** Renders the chat template of the tiny model: llama.cpp's built-in one has no `role: content`. */
export function promptOf({ prompt, messages }: GenerationRequest): string {
  if (!messages) return prompt ?? '';
  const turns = messages.map(({ role, content }) => `${role}: ${content}\n`);
  return turns.length > 0 ? `${turns.join('')}assistant: ` : '';
}

/** Handles a request without a prompt, which loads or unloads the model. */
function emptyAnswer(asked: string, wording: Wording, reason: 'load' | 'unload'): object {
  return { ...stamp(asked), ...wording.end(''), done: true, done_reason: reason };
}

async function* lined(
  model: string,
  steps: AsyncIterable<Step>,
  wording: Wording,
  loadTime: number,
): AsyncGenerator<object> {
  const began = process.hrtime.bigint();
  for await (const step of steps) {
    if (step.kind === 'text') {
      yield { ...stamp(model), ...wording.piece(step.text), done: false };
      continue;
    }
    const { tokens, promptTokens, promptTime, time, cut } = step.result;
    yield {
      ...stamp(model),
      ...wording.end(''),
      done: true,
      done_reason: cut ? 'length' : 'stop',
      total_duration: Number(process.hrtime.bigint() - began) + loadTime,
      load_duration: loadTime,
      prompt_eval_count: promptTokens,
      prompt_eval_duration: promptTime,
      eval_count: tokens,
      eval_duration: time,
    };
  }
}

/** Renders the last line, with the complete text. */
async function collected(run: AsyncIterable<object>, wording: Wording): Promise<object> {
  let text = '';
  let last: object = {};
  for await (const line of run) {
    last = line;
    text += textOf(line);
  }
  return { ...last, ...wording.end(text) };
}

function textOf(line: { response?: string; message?: { content: string } }): string {
  return line.response ?? line.message?.content ?? '';
}

function stamp(model: string): { model: string; created_at: string } {
  return { model, created_at: new Date().toISOString() };
}
