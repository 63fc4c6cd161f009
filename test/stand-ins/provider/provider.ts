import type { AddressInfo } from 'node:net';
import { type Handler, serve } from '../serve.ts';

/** A request as the provider received it. */
export interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Provider {
  /** The API base: the address and the path of the shape. */
  readonly baseUrl: string;
  readonly received: readonly Received[];
  close(): Promise<void>;
}

export interface ProviderOptions {
  readonly key: string;
  readonly host?: string;
  readonly port?: number;
  /** Default: that of OpenAI. */
  readonly shape?: ProviderShape;
  /** Response text, word by word when streamed. */
  readonly words?: readonly string[];
  /** Awaited in a stream after so many words. */
  readonly after?: (words: number) => Promise<unknown>;
}

/** What differs between the APIs of providers. */
export interface ProviderShape {
  /** The path before the endpoints. */
  readonly base: string;
  readonly model: string;
  /** A provider without a list of models responds with 404, as Spark does. */
  readonly hasNoList?: true;
}

/** The shapes of providers in mainland China by their names in a site, and of OpenAI. */
export const providerShapes = {
  openai: { base: '/v1', model: 'stand-in-1' },
  deepseek: { base: '/v1', model: 'deepseek-chat' },
  zhipu: { base: '/api/paas/v4', model: 'glm-4-flash' },
  volcengine: { base: '/api/v3', model: 'doubao-seed-1-6-251015' },
  qianfan: { base: '/v2', model: 'ernie-4.5-turbo-128k' },
  spark: { base: '/v1', model: 'generalv3.5', hasNoList: true },
} as const satisfies Record<string, ProviderShape>;

/** A small OpenAI-compatible provider: checks its key, lists a model, responds whole or as SSE. */
export async function startProvider(options: ProviderOptions): Promise<Provider> {
  const received: Received[] = [];
  const server = await serve(
    providerApp(options, received),
    options.host ?? '127.0.0.1',
    options.port ?? 0,
  );
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://${options.host ?? '127.0.0.1'}:${port}${(options.shape ?? providerShapes.openai).base}`,
    received,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function providerApp(options: ProviderOptions, received: Received[]): Handler {
  const { key, words = ['Hello', ' from', ' the', ' provider'], after } = options;
  const { base, model: only, hasNoList }: ProviderShape = options.shape ?? providerShapes.openai;
  return async (request) => {
    const { pathname } = new URL(request.url);
    const body = request.method === 'POST' ? await request.text() : '';
    received.push({ path: pathname, headers: Object.fromEntries(request.headers), body });
    if (request.headers.get('authorization') !== `Bearer ${key}`) {
      return failure(401, 'Incorrect API key provided.', 'invalid_request_error', {
        code: 'invalid_api_key',
      });
    }
    if (pathname === `${base}/models` && !hasNoList) {
      const model = {
        id: only,
        object: 'model',
        created: 1_767_225_600,
        owned_by: 'landfall',
      };
      return Response.json({ object: 'list', data: [model] });
    }
    if (pathname !== `${base}/chat/completions`) {
      return failure(404, `Invalid URL (${request.method} ${pathname})`, 'invalid_request_error');
    }
    const { model = '', messages, stream } = JSON.parse(body) as ChatRequest;
    const flaw = flawOf(model, messages);
    if (flaw) return flaw;
    return stream ? streamed(model, words, after) : whole(model, words.join(''));
  };
}

interface ChatRequest {
  readonly model?: string;
  readonly messages?: unknown;
  readonly stream?: boolean;
}

/** Returns OpenAI's error for a request without a model or without a message. */
function flawOf(model: string, messages: unknown): Response | undefined {
  const type = 'invalid_request_error';
  if (model === '') return failure(400, 'you must provide a model parameter', type);
  if (messages === undefined) {
    const message = "Missing required parameter: 'messages'.";
    return failure(400, message, type, {
      param: 'messages',
      code: 'missing_required_parameter',
    });
  }
  if (Array.isArray(messages) && messages.length > 0) return undefined;
  const message =
    "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.";
  return failure(400, message, type, { param: 'messages', code: 'empty_array' });
}

function about(model: string) {
  return { id: 'chatcmpl-stand-in', created: Math.floor(Date.now() / 1000), model };
}

function whole(model: string, content: string): Response {
  const message = { role: 'assistant', content, refusal: null };
  return Response.json({
    ...about(model),
    object: 'chat.completion',
    choices: [{ index: 0, message, logprobs: null, finish_reason: 'stop' }],
    usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
  });
}

function streamed(
  model: string,
  words: readonly string[],
  after: ProviderOptions['after'],
): Response {
  const chunk = (delta: object, reason: string | null) =>
    `data: ${JSON.stringify({
      ...about(model),
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: reason }],
    })}\n\n`;
  async function* events() {
    yield chunk({ role: 'assistant', content: '' }, null);
    for (const [index, content] of words.entries()) {
      yield chunk({ content }, null);
      await after?.(index + 1);
    }
    yield chunk({}, 'stop');
    yield 'data: [DONE]\n\n';
  }
  const body = ReadableStream.from(events()).pipeThrough(new TextEncoderStream());
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

function failure(
  status: number,
  message: string,
  type: string,
  { param = null, code = null }: { param?: string | null; code?: string | null } = {},
): Response {
  return Response.json({ error: { message, type, param, code } }, { status });
}
