import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '#contract/trust/digest.ts';
import { Ledger } from '../../../../appliance/relay/budget/ledger.ts';
import { type Journal, Usage } from '../../../../appliance/relay/budget/usage.ts';
import type { UsageEvent } from '../../../../appliance/relay/budget/usage-event.ts';
import { relayConfigSchema } from '../../../../appliance/relay/config.ts';
import { requestOf, responseOf } from '../../../../appliance/relay/fetch.ts';
import { handle } from '../../../../appliance/relay/handle.ts';
import { openRelay } from '../../../../appliance/relay/open-relay.ts';
import { fuzzRuns } from '../../../simulator/fuzz.ts';
import { type Behavior, BoundedProvider } from './bounded-provider.ts';

/** The endpoints, and the fields in which a client may limit an answer. */
const endpoints = [
  ['/openai/v1/chat/completions', ['max_tokens', 'max_completion_tokens']],
  ['/openai/v1/completions', ['max_tokens']],
  ['/openai/v1/responses', ['max_output_tokens']],
  ['/openai/v1/embeddings', []],
  ['/anthropic/v1/messages', ['max_tokens']],
  ['/gemini/v1beta/models/M:generateContent', ['generationConfig']],
  ['/gemini/v1beta/models/M:streamGenerateContent?alt=sse', ['generationConfig']],
  ['/local/v1/chat/completions', ['max_tokens']],
  ['/local/v1/messages', ['max_tokens']],
  ['/local/api/chat', ['options']],
  ['/local/api/generate', ['options']],
  ['/local/api/embed', []],
] as const;

/** When a client leaves: never, before the answer, or after some of its chunks. */
type Leaving = 'never' | 'early' | number;

interface Ask {
  readonly behavior: Behavior;
  readonly path: string;
  readonly limitField: string | undefined;
  readonly limit: number;
  readonly stream: boolean;
  readonly answers: number;
  readonly text: string;
  readonly leaving: Leaving;
}

const sometimes = <Value>(usual: Value, ...others: Value[]) =>
  fc.oneof({ arbitrary: fc.constant(usual), weight: 3 }, fc.constantFrom(...others));

const behavior: fc.Arbitrary<Behavior> = fc.record({
  density: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constant(1)),
  wants: fc.oneof(fc.nat(200), fc.nat(30_000)),
  visible: fc.constantFrom(0, 0.01, 1),
  usage: sometimes<Behavior['usage']>('reported', 'silent', 'choices'),
  failure: sometimes<Behavior['failure']>('none', 'error', 'reset', 'cut'),
  goesOn: fc.boolean(),
});

const ask: fc.Arbitrary<Ask> = fc
  .record({
    behavior,
    endpoint: fc.constantFrom(...endpoints),
    field: fc.nat(2),
    limit: fc.oneof(fc.integer({ min: 1, max: 3000 }), fc.constantFrom(-1, 0)),
    stream: fc.boolean(),
    answers: sometimes(1, 2, 5),
    text: fc.string({ unit: 'binary', maxLength: 200 }),
    leaving: fc.oneof(fc.constantFrom<Leaving>('never', 'early'), fc.nat(5)),
  })
  .map(({ endpoint: [path, fields], field, ...rest }) => ({
    ...rest,
    path,
    limitField: fields[field],
  }));

interface Mix {
  readonly asks: readonly Ask[];
  readonly budget: number;
  readonly rejects: readonly string[];
}

const mix: fc.Arbitrary<Mix> = fc.record({
  asks: fc.array(ask, { minLength: 1, maxLength: 16 }),
  budget: fc.constantFrom(1000, 9000, 40_000, 1_000_000),
  rejects: fc.constantFrom(
    [],
    [],
    ['stream_options'],
    ['max_tokens'],
    ['stream_options', 'max_tokens'],
  ),
});

const settings = relayConfigSchema.parse({
  providers: {
    openai: { base_url: 'http://openai/v1' },
    anthropic: { base_url: 'http://anthropic/v1', api: 'anthropic' },
    gemini: { base_url: 'http://gemini/v1beta', api: 'gemini' },
  },
  local: { base_url: 'http://engine' },
  keys: [{ name: 'me', sha256: sha256Hex('key'), limits: { requests_per_minute: 100_000 } }],
});

/** Returns the body of a request, whose model is the number of its behavior. */
function bodyOf({ path, limitField, limit, stream, answers, text }: Ask, at: number): string {
  const isOpenai = path.startsWith('/openai') && /completions$/.test(path);
  const inner = { options: 'num_predict', generationConfig: 'maxOutputTokens' };
  const [, name] = Object.entries(inner).find(([each]) => each === limitField) ?? [];
  return JSON.stringify({
    model: `m${at}`,
    messages: [{ role: 'user', content: text }],
    // Ollama streams by default.
    ...(path.startsWith('/gemini') ? {} : { stream }),
    ...(isOpenai && answers > 1 ? { n: answers } : {}),
    ...(limitField ? { [limitField]: name ? { [name]: limit } : limit } : {}),
  });
}

/** Sends a request, and reads its answer until the client leaves. Returns the status; 0 without one. */
async function send(each: Ask, at: number, env: ReturnType<typeof openRelay>): Promise<number> {
  const leaving = new AbortController();
  const request = new Request(`http://relay${each.path.replace('M:', `m${at}:`)}`, {
    method: 'POST',
    headers: { authorization: 'Bearer key', 'content-type': 'application/json' },
    body: bodyOf(each, at),
    signal: leaving.signal,
  });
  const pending = handle(requestOf(request), env);
  if (each.leaving === 'early') leaving.abort();
  const answer = responseOf(await pending);
  const reader = answer.body?.getReader();
  const chunks = typeof each.leaving === 'number' ? each.leaving : Number.POSITIVE_INFINITY;
  try {
    for (let read = 0; read < chunks; read += 1) if ((await reader?.read())?.done !== false) break;
  } catch {
    // The provider has cut its answer.
  }
  if (each.leaving !== 'never') leaving.abort();
  await reader?.cancel().catch(() => {});
  return answer.status;
}

/** Runs a mix, and returns what it has cost. */
async function run({ asks, budget, rejects }: Mix) {
  const provider = new BoundedProvider(
    asks.map((each) => each.behavior),
    rejects,
  );
  let reserved = 0;
  const noteReserved = (event: UsageEvent) => {
    if (event.event === 'reserve' || event.event === 'grow') reserved += event.tokens;
  };
  const journal: Journal = {
    note: noteReserved,
    sync: async (event) => {
      noteReserved(event);
      return true;
    },
  };
  const ledger = new Ledger();
  const usage = new Usage(ledger, journal, () => 0);
  const [key, ...others] = settings.keys;
  if (!key) throw new Error('there is no key');
  const keys = [{ ...key, budget: { tokens_per_day: budget } }, ...others];
  const env = openRelay(
    { ...settings, keys },
    {
      ...{ keyOf: () => 'sk-provider', send: provider.send, log: () => {} },
      ...{ usage: { usage, personOf: () => '', networkOf: () => undefined }, now: () => 0 },
    },
  );
  const statuses = await Promise.all(asks.map((each, at) => send(each, at, env)));
  const { tokens: charged } = ledger.total('me', '1970-01-01');
  return { charged, reserved, counted: provider.counted, statuses, open: ledger.state().open };
}

describe('the charge of a key with a budget of tokens', () => {
  it('covers the count of the provider, and exceeds it by the reservation at most', async () => {
    const seen = { mixes: 0, requests: 0, counted: 0, charged: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(mix, async (each) => {
        const { charged, reserved, counted, statuses, open } = await run(each);
        expect(open).toEqual([]);
        expect(charged).toBeGreaterThanOrEqual(counted);
        expect(charged).toBeLessThanOrEqual(counted + reserved);
        expect(counted).toBeLessThanOrEqual(each.budget);
        seen.mixes += 1;
        seen.requests += statuses.length;
        seen.counted += counted;
        seen.charged += charged;
        seen.refused += statuses.filter((status) => status === 400).length;
      }),
      { numRuns: fuzzRuns(500) },
    );
    console.log(JSON.stringify(seen));
    expect(Math.min(seen.counted, seen.refused)).toBeGreaterThan(0);
  });
});
