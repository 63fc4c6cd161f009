import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RelayRig } from '../rig.ts';
import {
  closeStands,
  type Stands,
  settingsFor,
  standKeys,
  startStands,
} from '../strict/premises.ts';

const context = 1000;
let stands: Stands;
let rig: RelayRig;
beforeAll(async () => {
  stands = await startStands();
  const settings = settingsFor(stands);
  rig = await RelayRig.start(
    { ...settings, local: { ...settings.local, context } },
    { provider: stands.openai, keys: standKeys },
  );
});
afterAll(async () => {
  await rig.close();
  await closeStands(stands);
});

const model = 'qwen3:8b';
const send = (path: string, body: object, headers: Record<string, string> = {}) =>
  rig.ask(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
const prompt = (content: unknown) => ({
  ...{ model, max_tokens: 10, messages: [{ role: 'user', content }] },
});
const long = 'word '.repeat(2000);
/** Requests that ran a model: the relay also reads the list of models. */
const ran = () => stands.local.asked.filter(({ method }) => method === 'POST').length;

describe('a request that is longer than the context of the local models', () => {
  it.each([
    ['/local/v1/chat/completions', { code: 'context_length_exceeded' }],
    ['/v1/chat/completions', { code: 'context_length_exceeded' }],
    ['/local/v1/messages', { code: 'context_length_exceeded' }],
  ])(
    'answers with an error that names the limit and the setting, and sends nothing: %s',
    async (path, error) => {
      const before = ran();
      const answer = await send(path, prompt(long));
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({
        error: {
          ...error,
          message: expect.stringMatching(
            /^prompt is too long: more than \d{4} tokens > 1000 maximum context length\. .*set a larger context/,
          ),
        },
      });
      expect(ran()).toBe(before);
    },
  );

  it("answers in the format of Anthropic's clients and of Ollama's", async () => {
    const headers = { 'anthropic-version': '2023-06-01' };
    const anthropic = await send('/local/v1/messages', prompt(long), headers);
    expect(await anthropic.json()).toMatchObject({
      ...{ type: 'error', error: { type: 'invalid_request_error' } },
    });
    const ollama = await send('/local/api/chat', prompt(long));
    expect(await ollama.json()).toMatchObject({
      error: expect.stringContaining('prompt is too long'),
      code: 'context_length_exceeded',
    });
  });

  it('sends it if it may fit, and if its size is an image', async () => {
    expect((await send('/local/v1/chat/completions', prompt('word '.repeat(1500)))).status).toBe(
      200,
    );
    const url = `data:image/png;base64,${'A'.repeat(20_000)}`;
    const image = [{ type: 'image_url', image_url: { url } }];
    expect((await send('/local/v1/chat/completions', prompt(image))).status).toBe(200);
  });

  it('sends it to a hosted provider', async () => {
    const body = { ...prompt(long), model: 'gpt-test' };
    expect((await send('/v1/chat/completions', body)).status).toBe(200);
  });
});

describe('the tokens of a prompt for a local model', () => {
  it('counts them in the relay, because Ollama has no endpoint for it', async () => {
    const before = ran();
    const answer = await send('/local/v1/messages/count_tokens', prompt('Hello, how are you?'));
    expect(answer.status).toBe(200);
    const { input_tokens } = (await answer.json()) as { input_tokens: number };
    expect(input_tokens).toBeGreaterThan(5);
    expect(input_tokens).toBeLessThan(60);
    expect(ran()).toBe(before);
  });

  it('takes those of the provider for a hosted model', async () => {
    const answer = await send('/anthropic/v1/messages/count_tokens', {
      ...{ model: 'claude-test', messages: [{ role: 'user', content: 'Hello' }] },
    });
    expect(await answer.json()).toEqual({ input_tokens: 3 });
  });

  it('refuses a body that is no JSON', async () => {
    const answer = await rig.ask('/local/v1/messages/count_tokens', { method: 'POST', body: 'x' });
    expect(answer.status).toBe(400);
  });
});
