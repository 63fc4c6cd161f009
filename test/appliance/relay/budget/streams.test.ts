import { afterEach, describe, expect, it } from 'vitest';
import { beginStream, event, json } from '../provider.ts';
import { BudgetedRelay } from './budgeted-relay.ts';

let relay: BudgetedRelay;
afterEach(() => relay.close());

const small = { model: 'tiny', max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] };

describe('a stream of a key with a budget', () => {
  const stream = { ...small, stream: true };
  const extra = `data: ${JSON.stringify({ choices: [], usage: { total_tokens: 321 } })}\n\n`;
  const text = event({ delta: { content: 'hello' } });
  const end = `${event({ delta: {}, finish_reason: 'stop' })}`;

  const streams = (...parts: string[]) =>
    relay.rig.provider.answerNext((response) => {
      beginStream(response);
      response.end(parts.join(''));
    });

  it('asks for usage, and hides it from a client that did not ask', async () => {
    relay = await BudgetedRelay.start({ budget: { tokens_per_day: 1000 } });
    streams(text, end, extra, 'data: [DONE]\n\n');
    const answer = await relay.post(stream);
    expect(answer.text).toBe(`${text}${end}data: [DONE]\n\n`);
    const [asked] = relay.rig.provider.asked;
    expect(JSON.parse(`${asked?.body}`)).toEqual({
      ...stream,
      stream_options: { include_usage: true },
    });
    expect(asked?.headers['content-length']).toBe(`${asked?.body.length}`);
    expect(await relay.left()).toBe(679);
  });

  it('passes the usage to a client that asked for it', async () => {
    relay = await BudgetedRelay.start({ budget: { tokens_per_day: 1000 } });
    streams(text, end, extra, 'data: [DONE]\n\n');
    const answer = await relay.post({ ...stream, stream_options: { include_usage: true } });
    expect(answer.text).toBe(`${text}${end}${extra}data: [DONE]\n\n`);
  });

  it.each([
    ['OpenAI', 400, { error: { message: 'unknown: stream_options' } }],
    [
      'Mistral',
      422,
      {
        object: 'error',
        message: { detail: [{ type: 'extra_forbidden', loc: ['body', 'stream_options'] }] },
      },
    ],
    ['FastAPI', 422, { detail: [{ type: 'extra_forbidden', loc: ['body', 'stream_options'] }] }],
  ])('remembers that a provider like %s rejects the field', async (_, status, error) => {
    relay = await BudgetedRelay.start({ budget: { tokens_per_day: 1000 } });
    relay.rig.provider.answerNext(json(status, error));
    streams(text, end);
    streams(text, end);
    expect((await relay.post(stream)).text).toBe(`${text}${end}`);
    await relay.post(stream);
    const bodies = relay.rig.provider.asked.map(({ body }) => `${body}`.includes('stream_options'));
    expect(bodies).toEqual([true, false, false]);
    const each = JSON.stringify(stream).length + stream.max_tokens;
    expect(await relay.left()).toBe(1000 - 2 * each);
  });

  const { max_tokens: _, ...unlimited } = stream;
  const limitsAsked = () =>
    relay.rig.provider.asked.map(({ body }) => {
      const { max_tokens, max_completion_tokens } = JSON.parse(`${body}`);
      return [max_tokens, max_completion_tokens];
    });

  it('uses the name of the limit that the provider demands', async () => {
    relay = await BudgetedRelay.start({ budget: { tokens_per_day: 90_000 } });
    const message =
      "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead.";
    relay.rig.provider.answerNext(json(400, { error: { message } }));
    streams(text, end, extra);
    streams(text, end, extra);
    for (const body of [unlimited, { ...unlimited, max_completion_tokens: 7 }])
      expect((await relay.post(body)).status).toBe(200);
    expect(limitsAsked()).toEqual([
      [8192, undefined],
      [undefined, 8192],
      [undefined, 7],
    ]);
    expect(await relay.left()).toBe(90_000 - 2 * 321);
  });

  it('sends no limit to a provider that refuses it, and asks again the next time', async () => {
    relay = await BudgetedRelay.start({ budget: { tokens_per_day: 90_000 } });
    for (let round = 0; round < 2; round += 1) {
      relay.rig.provider.answerNext(json(400, { error: { message: 'max_tokens is too large' } }));
      streams(text, end, extra);
      expect((await relay.post(unlimited)).text).toBe(`${text}${end}`);
    }
    expect(limitsAsked().map(([limit]) => limit)).toEqual([8192, undefined, 8192, undefined]);
  });

  it('passes an error that has another cause than what the relay adds', async () => {
    relay = await BudgetedRelay.start({ budget: { tokens_per_day: 1000 } });
    for (let round = 0; round < 2; round += 1)
      relay.rig.provider.answerNext(json(400, { error: { message: 'unknown model' } }));
    const answer = await relay.post(stream);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text).error.message).toBe('unknown model');
    expect(`${relay.rig.provider.asked[1]?.body}`).toBe(JSON.stringify(stream));
    expect(relay.rig.provider.asked).toHaveLength(2);
  });

  it.each([
    ['refuses', 30],
    ['ignores', 45],
  ])('ends the stream of a provider that %s its limit', async (does, most) => {
    relay = await BudgetedRelay.start({ budget: { tokens_per_day: 1000 } });
    if (does === 'refuses')
      relay.rig.provider.answerNext(json(422, { detail: 'max_tokens: extra_forbidden' }));
    const long = event({ delta: { content: 'x'.repeat(300) } });
    relay.rig.provider.answerNext((response) => {
      beginStream(response);
      const timer = setInterval(() => response.write(long), 1);
      response.on('close', () => clearInterval(timer));
    });
    const left = relay.rig.provider.clientLeft();
    const answer = await relay.post(unlimited);
    expect(answer.text.match(/x{300}/g)?.length).toBeLessThan(most);
    expect(answer.text).toMatch(/"finish_reason":"length"\}\]\}\n\ndata: \[DONE\]\n\n$/);
    await left;
    expect(await relay.left()).toBe(0);
    expect(relay.rig.log.find(({ endpoint }) => endpoint === '/chat/completions')).toMatchObject({
      ending: 'complete',
      status: 200,
    });
  });

  const leave = async (path: string, first: string) => {
    relay.rig.provider.answerNext((response) => {
      beginStream(response);
      response.write(first);
    });
    const leaving = new AbortController();
    const left = relay.rig.provider.clientLeft();
    const body = JSON.stringify(stream);
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    const answer = await relay.rig.ask(path, { ...init, signal: leaving.signal });
    await answer.body?.getReader().read();
    leaving.abort();
    await left;
    return body.length;
  };

  it('frees the memory of a body when its answer begins', async () => {
    relay = await BudgetedRelay.start({ budget: { tokens_per_month: 1e9 } });
    const padded = { ...stream, messages: [{ role: 'user', content: 'x'.repeat(7 * 2 ** 20) }] };
    const body = JSON.stringify(padded);
    const open = [];
    // All are more than the memory for all keys.
    for (let count = 0; count < 5; count += 1) {
      relay.rig.provider.answerNext((response) => beginStream(response));
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
      open.push(await relay.rig.ask('/v1/chat/completions', init));
    }
    expect(open.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    await Promise.all(open.map((answer) => answer.body?.cancel()));
  });

  it('charges the reservation when the client leaves', async () => {
    relay = await BudgetedRelay.start({ budget: { tokens_per_day: 1000 } });
    const bytes = await leave('/v1/chat/completions', event({ delta: { content: 'x' } }));
    expect(await relay.left()).toBe(1000 - bytes - stream.max_tokens);
  });

  it('charges the prompt that the provider has reported, and the limit of the answer', async () => {
    const key = { budget: { tokens_per_day: 1000 } };
    relay = await BudgetedRelay.start(key);
    const { provider } = relay.rig;
    const api = { base_url: provider.base(), api: 'anthropic', key_env: 'OPENAI_API_KEY' };
    await relay.restart(key, { providers: { openai: api } });
    const usage = { input_tokens: 7, cache_read_input_tokens: 3, output_tokens: 1 };
    const start = { type: 'message_start', message: { usage } };
    await leave('/v1/messages', `event: message_start\ndata: ${JSON.stringify(start)}\n\n`);
    expect(await relay.left()).toBe(1000 - 10 - stream.max_tokens);
  });
});
