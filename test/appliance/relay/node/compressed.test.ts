import { request } from 'node:http';
import * as zlib from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256Hex } from '#contract/trust/digest.ts';
import { BudgetedRelay, completion } from '../budget/budgeted-relay.ts';
import { relayKey } from '../rig.ts';

let relay: BudgetedRelay;
beforeEach(async () => {
  const keys = [
    { name: 'me', sha256: sha256Hex(relayKey), budget: { tokens_per_day: 100_000 } },
    { name: 'plain', sha256: sha256Hex('plain') },
    { name: 'small', sha256: sha256Hex('small'), limits: { body_bytes: 1000 } },
  ];
  relay = await BudgetedRelay.start({}, { keys });
});
afterEach(() => relay.close());

/** Sends a body with its encoding. fetch cannot. */
async function post(body: Uint8Array, encoding: string, key: string) {
  const headers = {
    ...{ authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...{ 'content-encoding': encoding, 'content-length': body.length },
  };
  return await new Promise<{ status: number; text: string }>((resolve, reject) => {
    const url = `${relay.rig.url}/v1/chat/completions`;
    const sent = request(url, { method: 'POST', headers }, async (answer) => {
      let text = '';
      for await (const chunk of answer) text += chunk;
      resolve({ status: answer.statusCode ?? 0, text });
    });
    sent.on('error', reject).end(body);
  });
}

const body = JSON.stringify({ model: 'tiny', max_tokens: 5, messages: [{ content: '你好' }] });
const compressors: ReadonlyArray<readonly [string, (text: string) => Uint8Array]> = [
  ['gzip', zlib.gzipSync],
  ['GZIP', zlib.gzipSync],
  ['deflate', zlib.deflateSync],
  ['br', zlib.brotliCompressSync],
  // The relay's image has it, Node 20 has not.
  ...('zstdCompressSync' in zlib ? [['zstd', zlib.zstdCompressSync] as const] : []),
];

describe('a compressed request', () => {
  it.each(compressors)('reaches the provider as JSON, from %s', async (encoding, compress) => {
    for (const key of [relayKey, 'plain']) {
      relay.rig.provider.answerNext(completion({ total_tokens: 5 }));
      expect(await post(compress(body), encoding, key)).toMatchObject({ status: 200 });
      const { body: got, headers } = relay.rig.provider.asked.at(-1) ?? {};
      expect(`${got}`).toBe(body);
      expect(headers).not.toHaveProperty('content-encoding');
    }
  });

  it.each(['compress', 'gzip, br'])('names the unsupported encoding %s', async (encoding) => {
    const { status, text } = await post(Buffer.from('x'), encoding, relayKey);
    expect(status).toBe(415);
    expect(JSON.parse(text).error).toMatchObject({
      code: 'relay_encoding_unknown',
      message: expect.stringContaining(encoding),
    });
    expect(relay.rig.provider.asked).toEqual([]);
  });

  it('fits the limit of its key after decompression', async () => {
    const large = zlib.gzipSync(JSON.stringify({ model: 'tiny', messages: ['x'.repeat(1e6)] }));
    expect(large.length).toBeGreaterThan(1000);
    const bomb = zlib.gzipSync(JSON.stringify({ model: 'x'.repeat(90_000) }));
    expect(bomb.length).toBeLessThan(1000);
    for (const compressed of [large, bomb])
      expect(await post(compressed, 'gzip', 'small')).toMatchObject({ status: 413 });
    relay.rig.provider.answerNext(completion({ total_tokens: 5 }));
    expect(await post(zlib.gzipSync(body), 'gzip', 'small')).toMatchObject({ status: 200 });
  });
});
