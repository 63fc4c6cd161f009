import { describe, expect, it } from 'vitest';
import { isJsonType } from '../../../../appliance/relay/body.ts';
import { countBinary, readBody } from '../../../../appliance/relay/budget/request.ts';
import { isRefusal } from '../../../../appliance/relay/refusal.ts';
import { chat, count } from './counted.ts';

/** Returns what is held, without the prompt. */
function answerTokens(body: object, endpoint = chat): { least: number; most: number } {
  const counted = count(body, endpoint);
  if (isRefusal(counted)) throw new Error('it was refused');
  const { least, most } = counted.want;
  return { least: least - counted.prompt, most: most - counted.prompt };
}

/** Returns the body to which the relay adds. */
function kept(body: string | object, endpoint = chat, countsTokens = true): string {
  const counted = count(body, endpoint, countsTokens);
  if (isRefusal(counted)) throw new Error('it was refused');
  return new TextDecoder().decode(counted.payload(counted.want.most)?.body);
}

describe('a request that is counted', () => {
  it.each([
    [{ max_tokens: 10 }, 10, 10],
    [{ max_completion_tokens: 20, max_tokens: 10 }, 20, 20],
    [{ max_tokens: 10, n: 100 }, 1000, 1000],
    [{ max_tokens: 10, n: '100' }, 1000, 1000],
    [{ max_tokens: 10, max_completion_tokens: '20000' }, 20_000, 20_000],
    [{ max_tokens: '20000' }, 20_000, 20_000],
    [{ max_tokens: 1e12 }, 1e12, 1e12],
    [{ max_tokens: 1e300 }, 2 ** 50, 2 ** 50],
    [{ max_tokens: -5 }, 8192, 8192],
    [{ max_tokens: 1.5 }, 8192, 8192],
    [{ max_tokens: 10, max_completion_tokens: -1 }, 8192, 8192],
    [{ max_tokens: '10', n: 'x' }, 8192, 8192],
    [{}, 8192, 8192],
    [{ stream: 'true' }, 8192, 8192],
    [{ stream: true }, 16, 8192],
    [{ stream: true, max_tokens: 10 }, 10, 10],
  ])('holds the maximum of the answer of %j', (body, least, most) => {
    expect(answerTokens(body)).toEqual({ least, most });
  });

  it.each([
    ['/openai/v1/completions', { max_tokens: 10, best_of: 3, n: 2 }, 30],
    ['/openai/v1/responses', { max_output_tokens: 30, n: 5 }, 30],
    ['/openai/v1/images/generations', { n: 2, max_tokens: 1 }, 16_384],
    ['/anthropic/v1/messages', { max_tokens: 10, n: 5 }, 10],
    [
      '/gemini/v1beta/models/m:generateContent',
      { generationConfig: { maxOutputTokens: 40, candidateCount: 2 } },
      80,
    ],
    [
      '/gemini/v1/models/m:generateContent',
      { generation_config: { max_output_tokens: 40, candidate_count: 2 } },
      80,
    ],
    ['/local/api/chat', { stream: false, options: { num_predict: 50 } }, 50],
    ['/local/v1/messages', { max_tokens: 50 }, 50],
    ['/hub/models/m', { parameters: { max_new_tokens: 50 } }, 50],
  ])('reads the limit that %s obeys from %j', (path, body, most) => {
    expect(answerTokens(body, path)).toEqual({ least: most, most });
  });

  it.each([
    [chat, { max_output_tokens: 1 }],
    [chat, { options: { num_predict: 1 } }],
    ['/openai/v1/completions', { max_completion_tokens: 1 }],
    ['/openai/v1/responses', { max_tokens: 1 }],
    ['/anthropic/v1/messages', { generationConfig: { maxOutputTokens: 1 } }],
    ['/gemini/v1/models/m:generateContent', { max_tokens: 1 }],
    ['/local/api/generate', { stream: false, options: {} }],
    ['/local/v1/chat/completions', { max_completion_tokens: 1 }],
    ['/hub/models/org/show', { max_tokens: 1 }],
    ['/hub/models/org/embeddings', {}],
  ])('takes for %s no limit from %j', (path, body) => {
    expect(answerTokens(body, path)).toEqual({ least: 8192, most: 8192 });
  });

  it.each([
    ['/openai/v1/embeddings', 0],
    ['/openai/v1/moderations', 0],
    ['/openai/v1/responses/input_tokens', 0],
    ['/anthropic/v1/messages/count_tokens', 0],
    ['/gemini/v1/models/gemini:countTokens', 0],
    ['/gemini/v1/models/gemini:batchEmbedContents', 0],
    ['/local/api/embed', 0],
    ['/openai/v1/responses', 8192],
  ])('holds for %s %d tokens of an answer', (endpoint, most) => {
    expect(answerTokens({ input: 'x' }, endpoint).most).toBe(most);
  });

  it.each(['/gemini/v1/models/gemini:streamGenerateContent', '/local/api/chat'])(
    'lets a stream of %s begin with less',
    (endpoint) => {
      expect(answerTokens({}, endpoint)).toEqual({ least: 16, most: 8192 });
    },
  );

  it('counts a token for every byte of the prompt, and an image as one', () => {
    const text = 'a'.repeat(3000);
    expect(count({ text })).toMatchObject({ prompt: 3011 });
    const url = `data:image/png;base64,${'A'.repeat(300_000)}`;
    const image = { messages: [{ content: [{ type: 'image_url', image_url: { url } }] }] };
    const counted = count(image);
    if (isRefusal(counted)) throw new Error('it was refused');
    expect(counted.prompt).toBeGreaterThan(1500);
    expect(counted.prompt).toBeLessThan(1600);
    // The same text in a message is no image.
    expect(count({ text: url })).toMatchObject({ prompt: 300_033 });
  });

  const letters = 'a'.repeat(9000);
  it.each([
    { messages: [{ content: [{ type: 'tool_use', input: { data: letters } }] }] },
    { messages: [{ content: [{ source: { type: 'text', data: letters } }] }] },
    { messages: [{ tool_calls: [{ function: { arguments: { url: letters } } }] }] },
    { contents: [{ parts: [{ functionCall: { args: { data: letters } } }] }] },
    { contents: [{ parts: [{ functionResponse: { response: { data: letters } } }] }] },
    { tools: [{ function: { parameters: { url: letters } } }] },
  ])('takes text of a model for no file: $messages$contents$tools', (body) => {
    expect(count(body)).toMatchObject({ prompt: JSON.stringify(body).length });
  });

  it.each([
    { input: [{ content: [{ type: 'input_image', image_url: letters }] }] },
    { messages: [{ content: [{ type: 'image', source: { type: 'base64', data: letters } }] }] },
    { messages: [{ content: [{ type: 'file', file: { file_data: letters } }] }] },
    { contents: [{ parts: [{ inlineData: { mimeType: 'image/png', data: letters } }] }] },
    { messages: [{ role: 'user', images: [letters] }] },
  ])('takes for one file: $input$messages$contents', (body) => {
    const counted = count(body);
    if (isRefusal(counted)) throw new Error('it was refused');
    expect(counted.prompt).toBe(JSON.stringify(body).length - letters.length + 1500);
  });

  it.each([
    'x',
    '',
    '[]',
    'null',
    '{"model":"a"',
    '{"model":"a","model":"b"}',
    '{"model":"a","Model":"b"}',
    '{"MODEL":"a"}',
    '{"model":"a","\\u006dodel":"b"}',
    '{"max_tokens":1,"max_token\u017f":9}',
    '{"stream":true,"stream":false}',
  ])('rejects %s', (body) => {
    expect(count(body)).toEqual({ refused: 'relay_request_invalid' });
  });

  it.each([
    ['/local/api/chat', '{"options":{"num_predict":1,"num_predict":9}}'],
    ['/local/api/chat', '{"options":{"num_predict":1},"options":{}}'],
    [
      '/gemini/v1/models/m:generateContent',
      '{"generationConfig":{"maxOutputTokens":1},"generation_config":{}}',
    ],
    [
      '/gemini/v1/models/m:generateContent',
      '{"generationConfig":{"maxOutputTokens":1,"max_output_tokens":9}}',
    ],
    ['/hub/models/m', '{"parameters":{"max_new_tokens":1,"MAX_NEW_TOKENS":9}}'],
  ])('rejects for %s the repeats of %s', (path, body) => {
    expect(count(body, path)).toEqual({ refused: 'relay_request_invalid' });
  });

  it.each([
    [{ keep_alive: 0, model: 'm' }, { model: 'm' }],
    [{ Keep_Alive: -1 }, {}],
    [{ options: { num_ctx: 9, seed: 5, NUM_GPU: 0 } }, { options: { seed: 5 } }],
    [{ options: null, _debug_render_only: true }, { options: null }],
  ])('removes for every endpoint of Ollama what changes its models: %j', (body, rest) => {
    for (const name of ['chat', 'generate', 'embed', 'embeddings', 'show'])
      expect(JSON.parse(kept(body, `/local/api/${name}`, false))).toEqual(rest);
  });

  it('removes the fields of Ollama, and leaves the text of the others as it is', () => {
    const text =
      '{ "model": "m",\n "keep_alive":0, "options": {"seed": 1.0, "num_ctx":1}, "raw" : true}';
    expect(kept(text, '/local/api/generate', false)).toBe(
      '{"model": "m","options":{"seed": 1.0},"raw" : true}',
    );
  });

  it.each([
    ['/openai/v1/responses', { background: true }],
    ['/openai/v1/responses', { previous_response_id: 'resp_1' }],
    ['/openai/v1/responses', { conversation: { id: 'conv_1' } }],
    ['/openai/v1/responses', { prompt: { id: 'pmpt_1' } }],
    [chat, { prediction: { type: 'content', content: 'x' } }],
    ['/gemini/v1/models/m:generateContent', { cachedContent: 'cachedContents/1' }],
    ['/gemini/v1/models/m:generateContent', { cached_content: 'cachedContents/1' }],
  ])('refuses for %s what hides a part of the cost: %j', (path, body) => {
    expect(count(body, path)).toMatchObject({
      refused: 'relay_field_forbidden',
      message: expect.stringContaining(Object.keys(body)[0] ?? ''),
    });
    expect(count(body, path, false)).toHaveProperty('payload');
  });

  it('allows these fields when they are off', () => {
    const off = { background: false, previous_response_id: null };
    expect(count(off, '/openai/v1/responses')).toHaveProperty('payload');
  });

  it.each([
    ['members', Array.from({ length: 200_000 }, (_, at) => `"${at}":{}`).join()],
    ['depth', `"a":${'['.repeat(50_000)}${']'.repeat(50_000)}`],
    ['arrays', `"a":[${'[],'.repeat(200_000)}0]`],
    ['numbers', `"a":[${'1,'.repeat(600_000)}0]`],
  ])('rejects a body with too many %s', (_what, inside) => {
    expect(count(`{${inside}}`)).toEqual({ refused: 'relay_request_invalid' });
  });

  it('reads the input of an embedding with 300,000 tokens, and a long text', () => {
    const input = Array.from({ length: 300 }, () => new Array<number>(1000).fill(12345));
    expect(count({ input }, '/openai/v1/embeddings')).toHaveProperty('payload');
    expect(count({ text: '[{":,'.repeat(1e6) })).toHaveProperty('payload');
  });

  it('reads a model of 10 kB, and none that is not a text', () => {
    const model = 'm'.repeat(10_000);
    expect(count({ model })).toMatchObject({ model });
    expect(count({ model: 5 })).toMatchObject({ model: undefined });
  });

  it('counts a body that is not JSON with at most 4,096 tokens', () => {
    expect(countBinary(300).want).toEqual({ least: 8492, most: 8492 });
    expect(countBinary(5e9).prompt).toBe(4096);
    expect(countBinary(Number.NaN).prompt).toBe(4096);
  });

  it.each([
    ['', true],
    ['application/json; charset=utf-8', true],
    ['application/vnd.api+json', true],
    ['application/x-www-form-urlencoded', true],
    ['multipart/form-data; boundary=x', false],
    ['audio/mpeg', false],
  ])('reads a body of the type "%s": %s', (type, isRead) => {
    expect(isJsonType({ headers: new Headers({ 'content-type': type }) })).toBe(isRead);
  });
});

describe('the body of a request', () => {
  const chunks = () => ReadableStream.from([new Uint8Array(6), new Uint8Array(6)]);

  it('must fit the limit and the memory of the relay', async () => {
    expect(await readBody(chunks(), 12, () => true)).toHaveLength(12);
    expect(await readBody(chunks(), 11, () => true)).toEqual({ refused: 'relay_body_too_large' });
    expect(await readBody(chunks(), 12, () => false)).toMatchObject({ refused: 'relay_busy' });
  });

  it('rejects a body that breaks', async () => {
    const broken = new ReadableStream<Uint8Array>({
      pull: () => Promise.reject(new Error('the client has left')),
    });
    expect(await readBody(broken, 12, () => true)).toEqual({ refused: 'relay_request_invalid' });
  });
});
