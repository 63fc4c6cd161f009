import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { responseOf } from '../../../appliance/relay/fetch.ts';
import { anthropic } from '../../../appliance/relay/formats/anthropic.ts';
import type { Format } from '../../../appliance/relay/formats/format.ts';
import { gemini } from '../../../appliance/relay/formats/gemini.ts';
import { ollama } from '../../../appliance/relay/formats/ollama.ts';
import { openai } from '../../../appliance/relay/formats/openai.ts';
import { providerError } from '../../../appliance/relay/provider-error.ts';
import { isRefusal } from '../../../appliance/relay/refusal.ts';

const key = 'sk-the-provider-key-of-the-owner';

async function errorOf(answer: Response, api: Format = openai): Promise<Response> {
  const error = await providerError(answer, { key, format: api }, api);
  if (isRefusal(error)) throw new Error(`refused: ${error.refused}`);
  return responseOf(error);
}

async function told(body: unknown, status = 400): Promise<{ status: number; error: unknown }> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await errorOf(new Response(text, { status }));
  expect(answer.headers.get('content-type')).toBe('application/json');
  const { error } = (await answer.json()) as { error: unknown };
  return { status: answer.status, error };
}

describe("a provider's error", () => {
  it('returns the error of a provider in the format of OpenAI', async () => {
    const error = { message: 'no such model', type: 'invalid', param: 'model', code: 'not_found' };
    expect(await told({ error }, 404)).toEqual({ status: 404, error });
  });

  it.each([
    [{ error: 'too long' }, 'too long'],
    [{ message: 'too long' }, 'too long'],
    [{ error: { message: 'too long', code: 20015 } }, 'too long'],
    ['<html>blocked</html>', 'the provider returned status 400'],
    ['', 'the provider returned status 400'],
    ['[]', 'the provider returned status 400: []'],
    [{ error: { message: 7 } }, 'the provider returned status 400: {"error":{"message":7}}'],
    ['upstream  is\r\ndown', 'the provider returned status 400: upstream is down'],
    [{ detail: 'max_tokens must be at most 8192' }, 'max_tokens must be at most 8192'],
    [
      { detail: [{ loc: ['body', 'tools', 0], msg: 'is empty' }, { msg: 'too long' }] },
      'body.tools.0: is empty; too long',
    ],
    [
      { object: 'error', message: { detail: [{ loc: ['body', 'n'], msg: 'not permitted' }] } },
      'body.n: not permitted',
    ],
    [{ type: 'about:blank', title: 'Too long', status: 400 }, 'Too long'],
    [{ title: 'Bad Request', detail: 'too long', status: 400 }, 'too long'],
    [{ detail: [7, null] }, 'the provider returned status 400: {"detail":[7,null]}'],
  ])('reads the error of a provider from any format: %j', async (body, message) => {
    expect((await told(body)).error).toMatchObject({ message, param: null });
  });

  it.each([
    [`bad key ${key}.`, 'bad key ***.'],
    ['Incorrect API key: sk-proj-****************abcd', 'Incorrect API key: ***'],
    [
      'limit reached in organization org-Ab12Cd34Ef on requests',
      'limit reached in organization *** on requests',
    ],
    ['Project proj-0123456789 has no access', 'Project *** has no access'],
    ['the risk-adjusted model', 'the risk-adjusted model'],
  ])('redacts the error of a provider: %s', async (said, message) => {
    expect((await told({ error: { message: said } })).error).toMatchObject({ message });
  });

  it('redacts an error of an unknown shape', async () => {
    expect((await told({ reason: `bad key ${key}` })).error).toMatchObject({
      message: 'the provider returned status 400: {"reason":"bad key ***"}',
    });
  });

  it('never contains the key', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.string(), async (before, after) => {
        const error = { message: `${before}${key}${after}`, type: key, param: key, code: key };
        expect(JSON.stringify(await told({ error }))).not.toContain(key);
      }),
    );
  });

  it('truncates the error of a provider after the redaction', async () => {
    const { error } = await told({ error: { message: `${'x'.repeat(1990)} ${key}` } });
    expect(JSON.stringify(error)).not.toContain('sk-');
    expect((error as { message: string }).message.length).toBeLessThanOrEqual(2000);
  });

  it('reads the error of a provider up to a maximum size', async () => {
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1000;
        controller.enqueue(Buffer.alloc(1000, 'x'));
      },
    });
    const answer = await errorOf(new Response(endless, { status: 500 }));
    expect(answer.status).toBe(500);
    expect(sent).toBeLessThan(100_000);
  });

  it.each([
    [
      'Anthropic',
      anthropic,
      { type: 'error', error: { type: 'invalid_request_error', message: `bad ${key}` } },
      { type: 'error', error: { type: 'invalid_request_error', message: 'bad ***' } },
    ],
    [
      'Gemini',
      gemini,
      [{ error: { code: 400, message: `bad ${key}`, status: 'FAILED_PRECONDITION' } }],
      { error: { code: 400, message: 'bad ***', status: 'FAILED_PRECONDITION' } },
    ],
    ['Ollama', ollama, { error: `bad ${key}` }, { error: 'bad ***' }],
  ])('keeps the format of %s without the key', async (_name, api, said, expected) => {
    const answer = await errorOf(new Response(JSON.stringify(said), { status: 400 }), api);
    expect(await answer.json()).toEqual(expected);
  });

  it.each([
    ['Anthropic', anthropic, { error: { type: 'constructor', message: 'no' } }],
    ['Gemini', gemini, { error: { status: 'INVALID_ARGUMENT', message: 'no' } }],
  ])('keeps the error of %s with a type that every object has', async (_name, api, expected) => {
    const said = { error: { type: 'constructor', message: 'no' } };
    const answer = await errorOf(new Response(JSON.stringify(said), { status: 400 }), api);
    expect(await answer.json()).toMatchObject(expected);
  });

  it("refuses Gemini's 400 for a wrong key", async () => {
    const error = {
      code: 400,
      message: 'API key not valid.',
      details: [{ reason: 'API_KEY_INVALID' }],
    };
    const answer = new Response(JSON.stringify({ error }), { status: 400 });
    expect(await providerError(answer, { key, format: gemini }, gemini)).toEqual({
      refused: 'provider_key_refused',
    });
  });
});
