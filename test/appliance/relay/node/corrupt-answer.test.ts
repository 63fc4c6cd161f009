import * as zlib from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BudgetedRelay } from '../budget/budgeted-relay.ts';
import type { Answer } from '../provider.ts';

let relay: BudgetedRelay;
beforeEach(async () => {
  relay = await BudgetedRelay.start({ budget: { tokens_per_day: 100_000 } });
});
afterEach(() => relay.close());

const text = JSON.stringify({ id: 'c1', usage: { total_tokens: 5 }, filler: 'x'.repeat(99) });
const whole = zlib.gzipSync(text);
const damaged = Buffer.from(whole);
damaged.fill(0xff, 20, 24);

/** Compressed answers that a provider sends against `accept-encoding: identity`. */
const corrupt: ReadonlyArray<readonly [string, string, Uint8Array]> = [
  ['truncated', 'gzip', whole.subarray(0, -12)],
  ['damaged in the middle', 'gzip', damaged],
  ['not compressed at all', 'gzip', Buffer.from(text)],
  ['not compressed at all', 'br', Buffer.from(text)],
];

const sends =
  (status: number, encoding: string, body: Uint8Array): Answer =>
  (response) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
    response.writeHead(status, headers).end(body);
  };

describe('a corrupt compressed answer of a provider', () => {
  it.each(corrupt)('breaks the connection, and is charged: %s, %s', async (_, encoding, body) => {
    relay.rig.provider.answerNext(sends(200, encoding, body));
    const message = { model: 'tiny', max_tokens: 50, messages: [] };
    // The status is sent before the body is read, so only a broken connection is left to say it.
    await expect(relay.post(message)).rejects.toThrow();
    await expect.poll(() => relay.rig.log.at(-1)).toMatchObject({ status: 200, ending: 'broken' });
    expect(await relay.left()).toBeLessThan(100_000 - 50);
    expect((await relay.rig.chat('hello')).status).toBe(200);
  });

  it.each(corrupt)(
    'returns an error of the provider for an error status: %s, %s',
    async (_, encoding, body) => {
      relay.rig.provider.answerNext(sends(500, encoding, body));
      const answer = await relay.post({ model: 'tiny', max_tokens: 50, messages: [] });
      expect(answer.status).toBe(502);
      expect(JSON.parse(answer.text).error).toMatchObject({ code: 'provider_unreachable' });
      expect(relay.rig.log.at(-1)?.cause).toMatch(/^(?:Z_\w+|ERR_\w+)$/);
    },
  );
});
