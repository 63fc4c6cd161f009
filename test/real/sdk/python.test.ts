import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { needs } from '../../integration/needs.ts';
import { documentedEndpoints } from './documented.ts';
import { type FullProvider, model, startFullProvider } from './full-provider.ts';
import { callWithPython, type Outcome } from './python-client.ts';
import { type RelayProgram, startRelayProgram } from './relay-program.ts';

const real = needs('pip3');

real.describe("OpenAI's client for Python, with the program of the relay", () => {
  let provider: FullProvider;
  let relay: RelayProgram;
  let outcomes: readonly Outcome[];
  beforeAll(async () => {
    provider = await startFullProvider();
    relay = await startRelayProgram(provider.baseUrl);
    outcomes = await callWithPython(relay.url);
  });
  afterAll(async () => {
    await relay.close();
    await provider.close();
  });

  const outcomeOf = (kind: Outcome['kind'], name: string) =>
    outcomes.find((each) => each.kind === kind && each.name === name);

  it.each([
    ['models', [model]],
    ['models/<model>', model],
    ['chat/completions', 'Hello'],
    ['completions', 'Hello'],
    ['responses', 'Hello'],
    ['responses/compact', 'compaction'],
    ['responses/input_tokens', 3],
    ['embeddings', [0.5, 0.25]],
    ['moderations', true],
    ['images/generations', 'aW1hZ2U='],
    ['images/edits', 'aW1hZ2U='],
    ['images/variations', 'aW1hZ2U='],
    ['audio/speech', [1, 2, 3, 0, 255]],
    ['audio/transcriptions', 'Hello'],
    ['audio/translations', 'Hello'],
  ])('calls %s', (name, result) => {
    expect(outcomeOf('endpoint', name)).toEqual({ kind: 'endpoint', name, result });
  });

  it('calls each endpoint that the documentation names with the client for Python', () => {
    const called = outcomes.filter(({ kind }) => kind === 'endpoint').map(({ name }) => name);
    expect(called).toEqual(documentedEndpoints());
  });

  it.each([
    ['a chat', ['Hel', 'lo']],
    ['a tool call', 'clock'],
    ['a response', 'Hello'],
  ])('streams %s', (name, result) => {
    expect(outcomeOf('stream', name)).toEqual({ kind: 'stream', name, result });
  });

  describe('an error of the relay', () => {
    it.each([
      ['a wrong key', 'AuthenticationError', 401, 'relay_key_invalid'],
      ['files', 'NotFoundError', 404, 'relay_path_unknown'],
      ['batches', 'NotFoundError', 404, 'relay_path_unknown'],
      ['fine-tuning', 'NotFoundError', 404, 'relay_path_unknown'],
      ['a stored response', 'NotFoundError', 404, 'relay_path_unknown'],
      ['a stored chat', 'NotFoundError', 404, 'relay_path_unknown'],
      ['the deletion of a model', 'APIStatusError', 405, 'relay_method_not_allowed'],
      ['another provider', 'BadRequestError', 400, 'relay_provider_forbidden'],
      ['an unknown provider', 'NotFoundError', 404, 'relay_provider_unknown'],
      ['a provider without a key', 'InternalServerError', 503, 'provider_key_missing'],
      ['a provider that is down', 'InternalServerError', 502, 'provider_unreachable'],
      ['a large body', 'APIStatusError', 413, 'relay_body_too_large'],
      ['many requests', 'RateLimitError', 429, 'relay_rate_limited'],
    ])(
      'returns an error with its type, its code and a request id of the log: %s',
      async (name, type, status, code) => {
        const outcome = outcomeOf('refused', name);
        expect(outcome).toMatchObject({ type, status, code });
        expect(outcome?.request_id).toMatch(/^[0-9a-f-]{36}$/);
        await expect.poll(relay.output).toContain(outcome?.request_id);
      },
    );

    it('returns the error of the provider when the provider responds', () => {
      expect(outcomeOf('refused', 'a model that the provider does not have')).toMatchObject({
        type: 'BadRequestError',
        status: 400,
        request_id: 'req_of_the_provider',
      });
    });
  });
});
