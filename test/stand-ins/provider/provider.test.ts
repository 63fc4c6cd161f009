import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Provider, startProvider } from './provider.ts';

let provider: Provider;
beforeAll(async () => {
  provider = await startProvider({ key: 'sk-test' });
});
afterAll(() => provider.close());

async function ask(body: object) {
  const response = await fetch(`${provider.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-test' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as object };
}

describe('the stand-in for a provider', () => {
  it('responds to a chat', async () => {
    const answer = await ask({ model: 'm', messages: [{ role: 'user', content: 'Hello' }] });
    expect(answer).toMatchObject({ status: 200, body: { object: 'chat.completion' } });
  });

  it.each([
    [{ messages: [] }, { param: null, code: null }],
    [{ model: 'm' }, { param: 'messages', code: 'missing_required_parameter' }],
    [
      { model: 'm', messages: [] },
      { param: 'messages', code: 'empty_array' },
    ],
  ])('rejects %j as OpenAI does', async (body, error) => {
    expect(await ask(body)).toMatchObject({
      status: 400,
      body: { error: { type: 'invalid_request_error', ...error } },
    });
  });
});
