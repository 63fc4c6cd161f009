import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type Answer, providerKey } from '../provider.ts';
import { type Call, event, streamed, strict } from './strict.ts';

/** What one request must cost. The stand-in finds it in the body, so it answers in any order. */
export interface Plan {
  readonly prompt: number;
  readonly answer: number;
  /** Text of the answer, in pieces. */
  readonly pieces: readonly string[];
  /** `silent`: the provider reports no usage. `left`: the client leaves after the first piece. */
  readonly ending: 'reported' | 'silent' | 'left';
  /** Bytes of one chunk of a stream, which may end inside of a character. */
  readonly chunk: number;
}

/** An answer in one API: a complete value, or the texts of a stream whose last ones report the usage. */
export interface Shape {
  /** @param usage whether the provider reports it */
  readonly whole: (plan: Plan, usage: boolean) => object;
  readonly stream: (plan: Plan, usage: boolean) => readonly string[];
  readonly type?: string;
}

const openaiUsage = ({ prompt, answer }: Plan) => ({
  usage: {
    ...{ prompt_tokens: prompt, completion_tokens: answer, total_tokens: prompt + answer },
    completion_tokens_details: { reasoning_tokens: Math.floor(answer / 2) },
  },
});
const textOf = ({ pieces }: Plan) => pieces.join('');
const done = 'data: [DONE]\n\n';

/** OpenAI's completions. Usage is reported in an event of its own. */
function completions(object: string, wrap: (text: string) => object): Shape {
  const common = { id: 'c1', created: 1, model: 'm' };
  const chunkOf = (choice: object) => ({ ...common, object, choices: [{ index: 0, ...choice }] });
  return {
    whole: (plan, usage) => ({
      ...chunkOf({ message: { content: textOf(plan) }, text: textOf(plan), finish_reason: 'stop' }),
      ...(usage ? openaiUsage(plan) : {}),
    }),
    stream: (plan, usage) => [
      ...plan.pieces.map((piece) => event(chunkOf(wrap(piece)))),
      event(chunkOf({ ...wrap(''), finish_reason: 'stop' })),
      ...(usage ? [event({ ...common, object, choices: [], ...openaiUsage(plan) })] : []),
      done,
    ],
  };
}

const responses: Shape = {
  whole: (plan, usage) => {
    const { prompt, answer } = plan;
    const content = [{ type: 'output_text', text: textOf(plan) }];
    const counts = { input_tokens: prompt, output_tokens: answer, total_tokens: prompt + answer };
    const output = [{ type: 'message', role: 'assistant', content }];
    return { id: 'r1', object: 'response', output, ...(usage ? { usage: counts } : {}) };
  },
  stream: (plan, usage) =>
    [
      { type: 'response.created', response: { id: 'r1', object: 'response', usage: null } },
      ...plan.pieces.map((delta) => ({ type: 'response.output_text.delta', delta })),
      { type: 'response.completed', response: responses.whole(plan, usage) },
    ].map((each) => event(each, each.type)),
};

/** Anthropic reports the prompt first, cached parts apart, and the answer last. */
const messages: Shape = {
  whole: (plan, usage) => ({
    ...{ id: 'm1', type: 'message', content: [{ type: 'text', text: textOf(plan) }] },
    ...(usage ? { usage: { ...cachedInput(plan), output_tokens: plan.answer } } : {}),
  }),
  stream: (plan, usage) =>
    [
      {
        type: 'message_start',
        message: {
          id: 'm1',
          ...(usage ? { usage: { ...cachedInput(plan), output_tokens: 1 } } : {}),
        },
      },
      ...plan.pieces.map((text) => ({
        ...{ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
      })),
      {
        ...{ type: 'message_delta', delta: { stop_reason: 'end_turn' } },
        ...(usage ? { usage: { output_tokens: plan.answer } } : {}),
      },
      { type: 'message_stop' },
    ].map((each) => event(each, each.type)),
};

function cachedInput({ prompt }: Plan) {
  const cached = Math.floor(prompt / 3);
  return {
    ...{ input_tokens: prompt - 2 * cached, cache_read_input_tokens: cached },
    cache_creation_input_tokens: cached,
  };
}

/** Gemini reports in every event; the last one counts. */
const contents: Shape = {
  whole: (plan, usage) => contentOf(plan, textOf(plan), plan.answer, usage, true),
  stream: (plan, usage) =>
    plan.pieces.map((piece, index) => {
      const isLast = index === plan.pieces.length - 1;
      return event(contentOf(plan, piece, isLast ? plan.answer : 1, usage, isLast));
    }),
};

function contentOf(
  { prompt }: Plan,
  text: string,
  answer: number,
  usage: boolean,
  isLast: boolean,
): object {
  const thoughts = Math.floor(answer / 2);
  const counts = { promptTokenCount: prompt, candidatesTokenCount: answer - thoughts };
  const total = { thoughtsTokenCount: thoughts, totalTokenCount: prompt + answer };
  return {
    candidates: [
      {
        ...{ index: 0, content: { role: 'model', parts: [{ text }] } },
        ...(isLast ? { finishReason: 'STOP' } : {}),
      },
    ],
    ...(usage ? { usageMetadata: { ...counts, ...total } } : {}),
  };
}

/** Ollama's own API, in JSON lines. */
function lines(wrap: (text: string) => object): Shape {
  const counts = ({ prompt, answer }: Plan) => ({ prompt_eval_count: prompt, eval_count: answer });
  const end = (plan: Plan, usage: boolean) => ({ done: true, ...(usage ? counts(plan) : {}) });
  return {
    whole: (plan, usage) => ({ model: 'm', ...wrap(textOf(plan)), ...end(plan, usage) }),
    stream: (plan, usage) =>
      [
        ...plan.pieces.map((piece) => ({ model: 'm', ...wrap(piece), done: false })),
        { model: 'm', ...wrap(''), ...end(plan, usage) },
      ].map((line) => `${JSON.stringify(line)}\n`),
    type: 'application/x-ndjson',
  };
}

/** Embeddings have a prompt and no answer. */
function vectors(field: string, counts: (prompt: number) => object): Shape {
  const whole = ({ prompt }: Plan, usage: boolean) => ({
    ...{ object: 'list', [field]: [[0.5, 0.25]] },
    ...(usage ? counts(prompt) : {}),
  });
  return { whole, stream: () => [] };
}

/** Shapes by the end of the path, longer ends first. */
export const shapes: Readonly<Record<string, Shape>> = {
  '/chat/completions': completions('chat.completion.chunk', (content) => ({ delta: { content } })),
  '/completions': completions('text_completion', (text) => ({ text })),
  '/responses': responses,
  '/embeddings': vectors('data', (prompt) => ({
    usage: { prompt_tokens: prompt, total_tokens: prompt },
  })),
  '/messages': messages,
  ':generateContent': contents,
  ':streamGenerateContent': contents,
  '/api/chat': lines((content) => ({ message: { role: 'assistant', content } })),
  '/api/generate': lines((response) => ({ response })),
  '/api/embed': vectors('embeddings', (prompt) => ({ prompt_eval_count: prompt })),
};

/** Answers as planned, in the API of the path. */
async function answerPlan(
  { path, query, body }: Call,
  response: ServerResponse,
): Promise<object | typeof streamed | undefined> {
  // A field that the relay forwards to every provider.
  const plan = body.format as Plan;
  const [, shape] = Object.entries(shapes).find(([end]) => path.endsWith(end)) ?? [];
  if (!shape) return undefined;
  const asks = body.stream_options as { include_usage?: boolean } | undefined;
  const isSilent = plan.ending !== 'reported' || !reportsStream(path, body.stream, asks);
  if (!body.stream && query.get('alt') !== 'sse') return shape.whole(plan, !isSilent);
  response.writeHead(200, { 'content-type': shape.type ?? 'text/event-stream' });
  const bytes = Buffer.from(shape.stream(plan, !isSilent).join(''));
  if (plan.ending === 'left') {
    response.write(shape.stream(plan, false)[0]);
    await once(response, 'close');
    return streamed;
  }
  for (let at = 0; at < bytes.length; at += plan.chunk)
    response.write(bytes.subarray(at, at + plan.chunk));
  response.end();
  return streamed;
}

/** OpenAI's completions report the usage of a stream only on request. */
function reportsStream(path: string, stream: unknown, asks?: { include_usage?: boolean }): boolean {
  return !stream || !path.endsWith('/completions') || asks?.include_usage === true;
}

/** Stand-ins that are strict about headers and report what the body of a request plans. */
export const countingAnswers = {
  openai: strictly({ authorization: new RegExp(`^Bearer ${providerKey}$`) }),
  anthropic: strictly({ 'x-api-key': new RegExp(`^${providerKey}$`), 'anthropic-version': /^20/ }),
  gemini: strictly({ 'x-goog-api-key': new RegExp(`^${providerKey}$`) }),
  local: strictly({}),
} as const satisfies Readonly<Record<string, Answer>>;

function strictly(headers: Readonly<Record<string, RegExp>>): Answer {
  return strict(headers, answerPlan);
}
