import { capabilitiesOf } from './capabilities.ts';
import type { Completion, Llama } from './llama.ts';
import type { Memory } from './memory.ts';
import { type ModelName, parseModelName } from './model-name.ts';
import type { ModelStore, StoredModel } from './model-store.ts';
import { failure, json, lines } from './replies.ts';
import { duration } from './settings.ts';

/** The parts of `/api/generate` and `/api/chat` that are the same. */
export interface GenerationRequest {
  readonly model?: string;
  readonly prompt?: string;
  readonly messages?: ReadonlyArray<{ readonly role: string; readonly content: string }>;
  readonly stream?: boolean;
  readonly keep_alive?: string | number;
  readonly think?: boolean;
  readonly options?: {
    readonly num_predict?: number;
    readonly temperature?: number;
    readonly seed?: number;
  };
}

/** How a piece of text and the end of it are written by one of the two endpoints. */
export interface Wording {
  /** What is asked of the model: `generate`, `chat`. */
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

const defaultLimit = 128;

/** Answers `/api/generate` or `/api/chat`, as a stream of lines unless it says otherwise. */
export async function generate(
  request: GenerationRequest,
  wording: Wording,
  store: ModelStore,
  memory: Memory,
): Promise<Response> {
  const asked = request.model ?? '';
  const model = await findModel(asked, store);
  if (!model) return failure(404, `model '${asked}' not found`);
  if (!(await capabilitiesOf(model, store)).includes('completion')) {
    return failure(400, `"${asked}" does not support ${wording.kind}`);
  }
  if (request.think) return failure(400, `"${asked}" does not support thinking`);
  const refusal = memory.refusal(model);
  if (refusal) return failure(500, refusal);
  const prompt = promptOf(request);
  const keepAlive = request.keep_alive === undefined ? undefined : duration(request.keep_alive);
  if (prompt === '') return await loadOnly(asked, model, keepAlive, wording, memory);
  const { llama, took } = await memory.load(model, keepAlive);
  const run = lined(asked, generation(llama, prompt, request), wording, took);
  if (request.stream !== false) return lines(run);
  return json(await collected(run, wording));
}

export async function findModel(text: string, store: ModelStore): Promise<StoredModel | undefined> {
  const name: ModelName | undefined = parseModelName(text);
  return name ? await store.find(name) : undefined;
}

/** The chat template of the tiny model, written out: llama.cpp's own speaks of `role: content`. */
function promptOf({ prompt, messages }: GenerationRequest): string {
  if (!messages) return prompt ?? '';
  const turns = messages.map(({ role, content }) => `${role}: ${content}\n`);
  return turns.length > 0 ? `${turns.join('')}assistant: ` : '';
}

/** Without a prompt the model is only loaded, or with a keep-alive of zero only unloaded. */
async function loadOnly(
  asked: string,
  model: StoredModel,
  keepAlive: number | undefined,
  wording: Wording,
  memory: Memory,
): Promise<Response> {
  if (keepAlive === 0) await memory.unload(model);
  else await memory.load(model, keepAlive);
  const reason = keepAlive === 0 ? 'unload' : 'load';
  return json({ ...stamp(asked), ...wording.end(''), done: true, done_reason: reason });
}

/** One thing that happened while a model generated. */
export type Step =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'end'; readonly result: Completion };

/** Generates, piece by piece as they come. */
export function generation(
  llama: Llama,
  prompt: string,
  { options = {} }: GenerationRequest,
): AsyncIterable<Step> {
  const limit = options.num_predict && options.num_predict > 0 ? options.num_predict : defaultLimit;
  const settings = {
    prompt,
    limit,
    temperature: options.temperature ?? 0.8,
    seed: options.seed ?? -1,
  };
  let left = false;
  return new ReadableStream<Step>({
    cancel() {
      left = true;
    },
    async start(controller) {
      const tell = (text: string) => {
        if (!left) controller.enqueue({ kind: 'text', text });
      };
      const result = await llama.complete(settings, tell);
      if (left) return;
      controller.enqueue({ kind: 'end', result });
      controller.close();
    },
  });
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

/** The last line with the text of all. */
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
