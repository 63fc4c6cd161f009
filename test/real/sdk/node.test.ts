import OpenAI, {
  APIError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  RateLimitError,
  toFile,
} from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentedEndpoints } from './documented.ts';
import { type FullProvider, model, startFullProvider } from './full-provider.ts';
import { type RelayProgram, relayKeys, startRelayProgram } from './relay-program.ts';

const messages = [{ role: 'user' as const, content: 'Hi' }];
const input = 'Hi';
const file = () => toFile(Buffer.from('the content'), 'name.bin');
const clock = { type: 'function' as const, function: { name: 'clock', parameters: {} } };

/** A call of each endpoint, and the part of its result that a user reads. */
const calls: ReadonlyArray<readonly [string, (client: OpenAI) => Promise<unknown>, unknown]> = [
  ['models', async (client) => (await client.models.list()).data.map(({ id }) => id), [model]],
  ['models/<model>', async (client) => (await client.models.retrieve(model)).id, model],
  [
    'chat/completions',
    async (client) =>
      (await client.chat.completions.create({ model, messages })).choices[0]?.message.content,
    'Hello',
  ],
  [
    'completions',
    async (client) => (await client.completions.create({ model, prompt: input })).choices[0]?.text,
    'Hello',
  ],
  [
    'responses',
    async (client) => (await client.responses.create({ model, input })).output_text,
    'Hello',
  ],
  [
    'responses/compact',
    async (client) => (await client.responses.compact({ model, input })).output[0]?.type,
    'compaction',
  ],
  [
    'responses/input_tokens',
    async (client) => (await client.responses.inputTokens.count({ model, input })).input_tokens,
    3,
  ],
  [
    'embeddings',
    async (client) =>
      (await client.embeddings.create({ model, input, encoding_format: 'float' })).data[0]
        ?.embedding,
    [0.5, 0.25],
  ],
  [
    'moderations',
    async (client) => (await client.moderations.create({ model, input })).results[0]?.flagged,
    true,
  ],
  [
    'images/generations',
    async (client) => (await client.images.generate({ model, prompt: input })).data?.[0]?.b64_json,
    'aW1hZ2U=',
  ],
  [
    'images/edits',
    async (client) =>
      (await client.images.edit({ model, image: await file(), prompt: input })).data?.[0]?.b64_json,
    'aW1hZ2U=',
  ],
  [
    'images/variations',
    async (client) =>
      (await client.images.createVariation({ model, image: await file() })).data?.[0]?.b64_json,
    'aW1hZ2U=',
  ],
  [
    'audio/speech',
    async (client) => {
      const speech = await client.audio.speech.create({ model, input, voice: 'alloy' });
      return [...new Uint8Array(await speech.arrayBuffer())];
    },
    [1, 2, 3, 0, 255],
  ],
  [
    'audio/transcriptions',
    async (client) =>
      (await client.audio.transcriptions.create({ model, file: await file() })).text,
    'Hello',
  ],
  [
    'audio/translations',
    async (client) => (await client.audio.translations.create({ model, file: await file() })).text,
    'Hello',
  ],
];

let provider: FullProvider;
let relay: RelayProgram;
beforeAll(async () => {
  provider = await startFullProvider();
  relay = await startRelayProgram(provider.baseUrl);
});
afterAll(async () => {
  await relay.close();
  await provider.close();
});

const clientOf = (apiKey: string = relayKeys.any, of = 'openai') =>
  new OpenAI({ apiKey, baseURL: `${relay.url}/${of}/v1`, maxRetries: 0 });

describe("OpenAI's client for Node, with the program of the relay", () => {
  it.each(calls)('calls %s', async (_endpoint, call, expected) => {
    expect(await call(clientOf())).toEqual(expected);
  });

  it('calls each endpoint that the documentation names with the client for Node', () => {
    expect(calls.map(([endpoint]) => endpoint)).toEqual(documentedEndpoints());
  });

  it('streams a chat', async () => {
    const words: string[] = [];
    const stream = await clientOf().chat.completions.create({ model, messages, stream: true });
    for await (const { choices } of stream) words.push(choices[0]?.delta.content ?? '');
    expect(words).toEqual(['Hel', 'lo']);
  });

  it('streams a tool call', async () => {
    const stream = clientOf().chat.completions.stream({ model, messages, tools: [clock] });
    const { choices } = await stream.finalChatCompletion();
    expect(choices[0]?.finish_reason).toBe('tool_calls');
    expect(choices[0]?.message.tool_calls?.[0]).toMatchObject({ function: { name: 'clock' } });
  });

  it('streams a response', async () => {
    const stream = clientOf().responses.stream({ model, input });
    expect((await stream.finalResponse()).output_text).toBe('Hello');
  });

  it("gets the provider's request id", async () => {
    expect((await clientOf().models.retrieve(model))._request_id).toBe('req_of_the_provider');
  });
});

type Refused = readonly [
  string,
  string,
  abstract new (...args: never[]) => APIError,
  number,
  () => Promise<unknown>,
];
const refused: readonly Refused[] = [
  ['a wrong key', 'relay_key_invalid', AuthenticationError, 401, () => clientOf('x').models.list()],
  ['files', 'relay_path_unknown', NotFoundError, 404, () => clientOf().files.list()],
  ['batches', 'relay_path_unknown', NotFoundError, 404, () => clientOf().batches.list()],
  [
    'fine-tuning',
    'relay_path_unknown',
    NotFoundError,
    404,
    () => clientOf().fineTuning.jobs.list(),
  ],
  [
    'a stored response',
    'relay_path_unknown',
    NotFoundError,
    404,
    () => clientOf().responses.retrieve('resp_1'),
  ],
  [
    'a stored chat',
    'relay_path_unknown',
    NotFoundError,
    404,
    () => clientOf().chat.completions.retrieve('chatcmpl-1'),
  ],
  [
    'the deletion of a model',
    'relay_method_not_allowed',
    APIError,
    405,
    () => clientOf().models.delete(model),
  ],
  [
    'another provider',
    'relay_provider_forbidden',
    BadRequestError,
    400,
    () => clientOf(relayKeys.other).models.list(),
  ],
  [
    'an unknown provider',
    'relay_provider_unknown',
    NotFoundError,
    404,
    () => clientOf(relayKeys.any, 'unknown').models.list(),
  ],
  [
    'a provider without a key',
    'provider_key_missing',
    InternalServerError,
    503,
    () => clientOf(relayKeys.any, 'other').models.list(),
  ],
  [
    'a provider that is down',
    'provider_unreachable',
    InternalServerError,
    502,
    () => clientOf(relayKeys.any, 'gone').models.list(),
  ],
  [
    'a large body',
    'relay_body_too_large',
    APIError,
    413,
    () => clientOf(relayKeys.small).embeddings.create({ model, input: 'x'.repeat(200) }),
  ],
  [
    'many requests',
    'relay_rate_limited',
    RateLimitError,
    429,
    async () => {
      await clientOf(relayKeys.slow).models.list();
      await clientOf(relayKeys.slow).models.list();
    },
  ],
];

describe("an error of the relay in OpenAI's client for Node", () => {
  it.each(refused)(
    'returns an error with its type, its code and a request id of the log: %s',
    async (_what, code, type, status, call) => {
      const error = await call().then(
        () => undefined,
        (cause: unknown) => cause,
      );
      expect(error).toBeInstanceOf(type);
      expect(error).toMatchObject({ code, status, message: expect.stringMatching(/^\d{3} \w/) });
      const { requestID } = error as APIError;
      expect(requestID).toMatch(/^[0-9a-f-]{36}$/);
      await expect.poll(relay.output).toContain(requestID);
    },
  );

  it('returns the error of the provider when the provider responds', async () => {
    const error = clientOf().chat.completions.create({ model: 'other', messages });
    await expect(error).rejects.toThrow(BadRequestError);
    await expect(error).rejects.toMatchObject({ requestID: 'req_of_the_provider' });
  });
});
