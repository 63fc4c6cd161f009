import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { json } from '../provider.ts';
import { BudgetedRelay, completion } from './budgeted-relay.ts';

let relay: BudgetedRelay;
afterEach(() => relay.close());

const hour = 3_600_000;
const small = { model: 'tiny', max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] };
/** A token for every byte of the prompt, and the limit of the answer. */
const reserved = JSON.stringify(small).length + small.max_tokens;

/** Returns the error of a response. */
function errorOf({ text }: { text: string }): Record<string, unknown> {
  return JSON.parse(text).error;
}

describe('a key with a budget of tokens', () => {
  it('charges what the provider reports, and refuses at the budget', async () => {
    relay = await BudgetedRelay.start({ budget: { tokens_per_day: 1000, requests_per_day: 50 } });
    relay.reports(300);
    const first = await relay.post(small);
    expect(first.status).toBe(200);
    expect(await relay.left()).toBe(700);
    expect(await relay.left('requests')).toBe(49);
    relay.reports(650);
    await relay.post(small);
    expect(await relay.left()).toBe(50);

    const refused = await relay.post(small);
    expect(refused.status).toBe(400);
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      'retry-after': `${12 * 3600}`,
      'x-should-retry': 'false',
      'x-relay-remaining-tokens': '50',
      'x-relay-remaining-requests': '48',
    });
    expect(errorOf(refused)).toEqual({
      message: expect.stringMatching(
        /^budget of the relay key me exceeded: 50 of 1000 tokens a day are left, and this request may need \d+; it resets at 2027-04-01T00:00:00Z$/,
      ),
      type: 'insufficient_quota',
      param: null,
      code: 'relay_budget_exceeded',
    });
    expect(relay.rig.provider.asked.filter(({ method }) => method === 'POST')).toHaveLength(2);
  });

  it('keeps a key used up after a restart, and opens the next window', async () => {
    const key = { budget: { tokens_per_month: 1000 } };
    relay = await BudgetedRelay.start(key);
    relay.reports(990);
    await relay.post(small);
    await relay.restart(key);
    expect((await relay.post(small)).status).toBe(400);
    relay.now -= 24 * hour;
    expect((await relay.post(small)).status).toBe(400);
    relay.now += 36 * hour;
    expect(await relay.left()).toBe(1000);
    expect((await relay.post(small)).status).toBe(200);
  });

  it('admits of fifty requests at once only those that fit', async () => {
    relay = await BudgetedRelay.start({
      // Ten requests, of which one may still be reserved when the others have ended.
      budget: { tokens_per_day: 9 * 130 + reserved },
      limits: { concurrency: 100 },
    });
    relay.reports(...Array(50).fill(130));
    const answers = await Promise.all(Array.from({ length: 50 }, () => relay.post(small)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(40);
  });

  it.each([
    ['missing', undefined],
    ['zero', { total_tokens: 0 }],
    ['negative', { total_tokens: -3 }],
    ['a text', { total_tokens: '3' }],
  ])('charges the reservation when the usage is %s', async (_, usage) => {
    relay = await BudgetedRelay.start({ budget: { tokens_per_day: 1000 } });
    relay.rig.provider.answerNext(completion(usage));
    await relay.post(small);
    expect(await relay.left()).toBe(1000 - reserved);
  });

  it('limits an answer without a limit to what is reserved', async () => {
    relay = await BudgetedRelay.start({ budget: { tokens_per_day: 9000 } });
    relay.reports(5);
    const { max_tokens: _, ...unlimited } = small;
    await relay.post(unlimited);
    expect(JSON.parse(`${relay.rig.provider.asked[0]?.body}`)).toEqual({
      ...unlimited,
      max_tokens: 8192,
    });
    expect(await relay.left()).toBe(8995);
  });

  it('charges the reservation when the client leaves before an answer', async () => {
    relay = await BudgetedRelay.start({ budget: { tokens_per_day: 1000 } });
    const leaving = new AbortController();
    relay.rig.provider.answerNext(() => leaving.abort());
    const left = relay.rig.provider.clientLeft();
    const body = JSON.stringify(small);
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body, signal: leaving.signal };
    await expect(relay.rig.ask('/v1/chat/completions', init)).rejects.toThrow();
    await left;
    expect(await relay.left()).toBe(1000 - reserved);
  });

  it('charges an answer that the provider compressed', async () => {
    relay = await BudgetedRelay.start({ budget: { tokens_per_day: 1000 } });
    const body = gzipSync(JSON.stringify({ choices: [], usage: { total_tokens: 77 } }));
    relay.rig.provider.answerNext((response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(body);
    });
    await relay.post(small);
    expect(await relay.left()).toBe(923);
  });

  it('charges the request, but no tokens, for an error of the provider', async () => {
    const budget = { tokens_per_day: 1000, requests_per_day: 10 };
    relay = await BudgetedRelay.start({ budget });
    relay.rig.provider.answerNext(json(500, { error: { message: 'no' } }));
    await relay.post(small);
    expect([await relay.left(), await relay.left('requests')]).toEqual([1000, 9]);
  });

  it('charges the reservation for a lost connection, and nothing for none', async () => {
    const budget = { tokens_per_day: 1000, requests_per_day: 10 };
    relay = await BudgetedRelay.start({ budget });
    relay.rig.provider.answerNext((response) => void response.destroy());
    expect((await relay.post(small)).status).toBe(502);
    const left = [1000 - reserved, 9];
    expect([await relay.left(), await relay.left('requests')]).toEqual(left);
    await relay.rig.provider.close();
    expect((await relay.post(small)).status).toBe(502);
    expect([await relay.left(), await relay.left('requests')]).toEqual(left);
  });

  it.each([
    ['no JSON', 'x', 400],
    ['two models', '{"model":"a","model":"b"}', 400],
    ['a maximum that never fits', { ...small, max_tokens: 1e12 }, 400],
    ['a hundred answers', { ...small, n: 100 }, 400],
  ])('does not send %s', async (_, body, status) => {
    relay = await BudgetedRelay.start({ budget: { tokens_per_day: 9000 } });
    expect((await relay.post(body)).status).toBe(status);
    expect(relay.rig.provider.asked).toEqual([]);
    expect(await relay.left()).toBe(9000);
  });

  it('limits requests a day without reading them', async () => {
    relay = await BudgetedRelay.start({ budget: { requests_per_day: 2 } });
    relay.reports(1, 1);
    const statuses = [await relay.post(small), await relay.post(small), await relay.post('x')];
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 400]);
    expect(relay.rig.provider.asked[0]?.body.toString()).toBe(JSON.stringify(small));
  });
});

describe('a key with terms', () => {
  it('refuses a key after its last day', async () => {
    relay = await BudgetedRelay.start({ expires: '2027-03-31' });
    relay.now += 11 * hour;
    expect((await relay.rig.ask('/v1/models')).status).toBe(200);
    relay.now += hour;
    const answer = await relay.rig.ask('/v1/models');
    expect(answer.status).toBe(401);
    expect(((await answer.json()) as { error: object }).error).toMatchObject({
      code: 'relay_key_expired',
    });
  });

  it('allows only the models of a key, and endpoints without a model that it lists', async () => {
    relay = await BudgetedRelay.start({ models: ['tiny', 'text-*', '/audio/transcriptions'] });
    const post = async (model: unknown) => relay.post({ ...small, model });
    for (const model of ['tiny', 'text-3']) expect((await post(model)).status).toBe(200);
    for (const model of ['tiny2', 'tex', 'TINY', undefined, 7])
      expect((await post(model)).status).toBe(400);
    expect(errorOf(await post('other'))).toEqual({
      message: 'permission denied: this key may use only tiny, text-*, /audio/transcriptions',
      type: 'permission_error',
      param: null,
      code: 'relay_model_forbidden',
    });
    const upload = { 'content-type': 'multipart/form-data; boundary=x' };
    expect((await relay.post('--x--', '/v1/images/edits', upload)).status).toBe(400);
    relay.reports(1);
    expect((await relay.post('--x--', '/v1/audio/transcriptions', upload)).status).toBe(200);
    expect((await relay.rig.ask('/v1/models')).status).toBe(200);
  });
});

describe('an unusable store', () => {
  it('stops keys with a budget, and no others', async () => {
    const key = { budget: { tokens_per_day: 1000 } };
    relay = await BudgetedRelay.start(key);
    await writeFile(join(relay.folder, 'state.json'), 'x');
    await relay.restart(key);
    const answer = await relay.post(small);
    expect(answer.status).toBe(503);
    expect(errorOf(answer).code).toBe('relay_usage_unavailable');
    await relay.restart({ models: ['tiny'] });
    expect((await relay.post(small)).status).toBe(200);
  });
});

describe('people who share a key', () => {
  const personBudget = { budget_per_person: { tokens_per_day: 1000 } };
  const as = (address: string) => ({ 'x-openwebui-user-email': address });
  const path = '/v1/chat/completions';

  it('counts each person, and does not forward the address', async () => {
    relay = await BudgetedRelay.start({ name: 'ui', ...personBudget });
    relay.reports(990);
    await relay.post(small, path, as('anna@example.com'));
    const refused = await relay.post(small, path, as('Anna@example.com'));
    expect(errorOf(refused).code).toBe('relay_budget_exceeded');
    expect((await relay.post(small, path, as('ben@example.com'))).status).toBe(200);
    expect((await relay.post(small, path)).status).toBe(200);
    const forwarded = relay.rig.provider.asked.flatMap(({ headers }) => Object.keys(headers));
    expect(forwarded.filter((name) => name.includes('user-email'))).toEqual([]);
  });

  it('ignores the header with another key', async () => {
    relay = await BudgetedRelay.start({ budget: { tokens_per_day: 1000 } });
    relay.reports(990);
    await relay.post(small, path, as('anna@example.com'));
    expect((await relay.post(small, path, as('ben@example.com'))).status).toBe(400);
  });
});
