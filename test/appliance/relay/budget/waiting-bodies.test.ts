import { expect, it } from 'vitest';
import { prepare } from '../../../../appliance/relay/budget/prepare.ts';
import { readBody } from '../../../../appliance/relay/budget/request.ts';
import { openai } from '../../../../appliance/relay/formats/openai.ts';
import { BodyPool } from '../../../../appliance/relay/models/peek.ts';

const mebibyte = 2 ** 20;
const chunk = 64 * 1024;

it('takes memory of the pool as a body arrives: at most twice the bytes, and its length at the end', async () => {
  let sent = 0;
  let held = 0;
  async function* body() {
    for (; sent < 8 * mebibyte; ) {
      expect(held).toBeLessThanOrEqual(2 * sent);
      sent += chunk;
      yield new Uint8Array(chunk);
    }
  }
  const take = (bytes: number) => {
    held += bytes;
    return true;
  };
  for (const length of [8 * mebibyte, 0]) {
    [sent, held] = [0, 0];
    expect(await readBody(body(), 8 * mebibyte, take, length)).toHaveLength(8 * mebibyte);
    expect(held).toBe(8 * mebibyte);
  }
});

it('lets clients that declare a length and send nothing hold no memory of the pool', async () => {
  const pool = new BodyPool();
  const cost = openai.endpoints.find(({ path }) => path.test('/chat/completions'))?.cost;
  if (!cost) throw new Error('the endpoint has a cost');
  const client = {
    ...{ name: 'me', sha256: new Uint8Array(32), providers: undefined },
    limits: { requests_per_minute: 240, concurrency: 16, body_bytes: 32 * mebibyte },
    terms: { models: ['tiny'], expires: undefined, budget: undefined, perPerson: undefined },
  };
  const provider = { name: 'openai', format: openai, baseUrl: 'x', key: 'x', keyless: false };
  const silent = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) };
  const headers = new Headers({ 'content-length': `${8 * mebibyte}` });
  const waiting = { headers, provider, cost, rest: '/chat/completions', body: silent };
  const counting = { account: undefined, pool, refused: new Set<string>() };
  for (let count = 0; count < 16; count += 1) void prepare(waiting, client, counting);
  expect(pool.take('me', 16 * mebibyte)).toBe(true);
});
