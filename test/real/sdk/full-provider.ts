import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { serve } from '../../stand-ins/serve.ts';

export const providerKey = 'sk-provider-0123456789abcdef';
/** The only model, with characters that clients encode. */
export const model = 'org/model:8b';

export interface FullProvider {
  /** The API base, ending in `/v1`. */
  readonly baseUrl: string;
  /** Method and path of each request. */
  readonly received: readonly string[];
  close(): Promise<void>;
}

/**
 * A stand-in provider with every endpoint that the relay forwards, as in OpenAI's API reference. It
 * checks its key, the content type and the required fields.
 */
export async function startFullProvider(): Promise<FullProvider> {
  const received: string[] = [];
  const server = await serve(
    async (request) => {
      const { pathname } = new URL(request.url);
      const endpoint = decodeURIComponent(pathname.replace(/^\/v1/, ''));
      received.push(`${request.method} ${endpoint}`);
      const response = await answer(request, endpoint);
      response.headers.set('x-request-id', 'req_of_the_provider');
      return response;
    },
    '127.0.0.1',
    0,
  );
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    received,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const answer: (request: Request, endpoint: string) => Promise<Response> = async (
  request,
  endpoint,
) => {
  if (request.headers.get('authorization') !== `Bearer ${providerKey}`)
    return failure(401, 'Incorrect API key provided.');
  if (request.method === 'GET') {
    if (endpoint === '/models') return Response.json({ object: 'list', data: [record] });
    if (endpoint === `/models/${model}`) return Response.json(record);
    return failure(404, `The model '${endpoint.slice('/models/'.length)}' does not exist`);
  }
  const type = request.headers.get('content-type') ?? '';
  if (type.startsWith('multipart/form-data')) return await answerForm(request, endpoint);
  if (type !== 'application/json') return failure(415, `unsupported content type ${type}`);
  const body = (await request.json()) as Record<string, unknown>;
  if (body.model !== model) return failure(400, `invalid model: ${body.model}`);
  const handler = answers[endpoint];
  return handler ? handler(body) : failure(404, `no such endpoint: ${endpoint}`);
};

const record = { id: model, object: 'model', created: 1_767_225_600, owned_by: 'org' };
const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
const image = { created: 1, data: [{ b64_json: 'aW1hZ2U=' }] };
const tool = { id: 'call_1', type: 'function', function: { name: 'clock', arguments: '{}' } };

const answers: Readonly<Record<string, (body: Record<string, unknown>) => Response>> = {
  '/chat/completions': (body) => {
    const about = { id: 'chatcmpl-1', created: 1, model };
    const chunk = (delta: object, reason: string | null) => ({
      ...{ ...about, object: 'chat.completion.chunk' },
      choices: [{ index: 0, delta, finish_reason: reason }],
    });
    if (body.tools && body.stream) {
      return events([
        chunk({ role: 'assistant', tool_calls: [{ index: 0, ...tool }] }, null),
        chunk({}, 'tool_calls'),
      ]);
    }
    if (body.stream)
      return events([chunk({ content: 'Hel' }, null), chunk({ content: 'lo' }, 'stop')]);
    const message = { role: 'assistant', content: 'Hello', refusal: null };
    const choices = [{ index: 0, message, logprobs: null, finish_reason: 'stop' }];
    return Response.json({ ...about, object: 'chat.completion', choices, usage });
  },
  '/completions': () =>
    Response.json({
      ...{ id: 'cmpl-1', object: 'text_completion', created: 1, model, usage },
      choices: [{ index: 0, text: 'Hello', logprobs: null, finish_reason: 'stop' }],
    }),
  '/responses': (body) => {
    const finished = responseWith('Hello');
    if (!body.stream) return Response.json(finished);
    const begun = { ...finished, status: 'in_progress', output: [] };
    const place = { item_id: 'msg_1', output_index: 0, content_index: 0 };
    const part = { type: 'output_text', text: '', annotations: [], logprobs: [] };
    const item = { ...message(''), status: 'in_progress', content: [] };
    const steps = [
      { type: 'response.created', response: begun },
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.content_part.added', ...place, part },
      { type: 'response.output_text.delta', ...place, delta: 'Hello', logprobs: [] },
      { type: 'response.output_text.done', ...place, text: 'Hello', logprobs: [] },
      { type: 'response.content_part.done', ...place, part: { ...part, text: 'Hello' } },
      { type: 'response.output_item.done', output_index: 0, item: message('Hello') },
      { type: 'response.completed', response: finished },
    ];
    const numbered = steps.map((step, index) => ({ ...step, sequence_number: index }));
    return events(numbered, { named: true });
  },
  '/responses/compact': () =>
    Response.json({
      ...{ id: 'resp_2', object: 'response.compaction', created_at: 1 },
      output: [{ id: 'cmp_1', type: 'compaction', encrypted_content: 'c2hvcnQ=' }],
      usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 },
    }),
  '/responses/input_tokens': () =>
    Response.json({ object: 'response.input_tokens', input_tokens: 3 }),
  '/embeddings': () => {
    const data = [{ object: 'embedding', index: 0, embedding: [0.5, 0.25] }];
    return Response.json({
      object: 'list',
      model,
      data,
      usage: { prompt_tokens: 1, total_tokens: 1 },
    });
  },
  '/moderations': () =>
    Response.json({
      ...{ id: 'modr-1', model },
      results: [{ flagged: true, categories: {}, category_scores: {} }],
    }),
  '/images/generations': () => Response.json(image),
  '/audio/speech': () =>
    new Response(new Uint8Array([1, 2, 3, 0, 255]), { headers: { 'content-type': 'audio/mpeg' } }),
};

/** Answers uploads: each has a file and the model. */
async function answerForm(request: Request, endpoint: string): Promise<Response> {
  const form = await request.formData();
  const file = form.get('file') ?? form.get('image') ?? form.get('image[]');
  if (!(file instanceof File)) return failure(400, 'no file');
  if ((await file.text()) !== 'the content') return failure(400, 'another file');
  if (form.get('model') !== model) return failure(400, 'no model');
  if (endpoint === '/audio/transcriptions' || endpoint === '/audio/translations')
    return Response.json({ text: 'Hello' });
  if (endpoint === '/images/edits' || endpoint === '/images/variations')
    return Response.json(image);
  return failure(404, `no such endpoint: ${endpoint}`);
}

function responseWith(text: string): object {
  return {
    ...{ id: 'resp_1', object: 'response', created_at: 1, model, status: 'completed' },
    ...{ error: null, incomplete_details: null, instructions: null, metadata: {} },
    ...{ parallel_tool_calls: true, tool_choice: 'auto', tools: [], temperature: 1, top_p: 1 },
    output: [message(text)],
  };
}

function message(text: string): object {
  const content = [{ type: 'output_text', text, annotations: [], logprobs: [] }];
  return { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content };
}

function events(all: readonly object[], { named = false } = {}): Response {
  const lines = all.map((event) => {
    const name = named && 'type' in event ? `event: ${event.type}\n` : '';
    return `${name}data: ${JSON.stringify(event)}\n\n`;
  });
  return new Response([...lines, ...(named ? [] : ['data: [DONE]\n\n'])].join(''), {
    headers: { 'content-type': 'text/event-stream' },
  });
}

function failure(status: number, message: string): Response {
  const error = { message, type: 'invalid_request_error', param: null, code: null };
  return Response.json({ error }, { status });
}
