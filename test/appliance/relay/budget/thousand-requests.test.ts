import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatTable } from '#contract/text/table.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import { readStoredUsage } from '../../../../appliance/relay/node/usage/stored-usage.ts';
import { RelayRig } from '../rig.ts';
import { countingAnswers, type Plan } from '../strict/counting.ts';
import {
  closeStands,
  type Stands,
  settingsFor,
  standKeys,
  startStands,
} from '../strict/premises.ts';

/** Endpoints by the name of their relay key, so that errors of two cannot cancel each other out. */
const endpoints: Readonly<Record<string, { path: string; stream?: boolean; body?: object }>> = {
  chat: { path: '/openai/v1/chat/completions' },
  'chat-stream': { path: '/openai/v1/chat/completions', stream: true },
  'chat-stream-asked': {
    ...{ path: '/openai/v1/chat/completions', stream: true },
    body: { stream_options: { include_usage: true } },
  },
  completions: { path: '/openai/v1/completions' },
  'completions-stream': { path: '/openai/v1/completions', stream: true },
  responses: { path: '/openai/v1/responses' },
  'responses-stream': { path: '/openai/v1/responses', stream: true },
  embeddings: { path: '/openai/v1/embeddings' },
  anthropic: { path: '/anthropic/v1/messages' },
  'anthropic-stream': { path: '/anthropic/v1/messages', stream: true },
  gemini: { path: '/gemini/v1beta/models/m:generateContent' },
  'gemini-stream': { path: '/gemini/v1beta/models/m:streamGenerateContent?alt=sse', stream: true },
  'ollama-chat': { path: '/local/api/chat', body: { stream: false } },
  'ollama-chat-stream': { path: '/local/api/chat', stream: true },
  'ollama-generate-stream': { path: '/local/api/generate', stream: true },
  'ollama-embed': { path: '/local/api/embed' },
  'ollama-openai-stream': { path: '/local/v1/chat/completions', stream: true },
};
const names = Object.keys(endpoints);

interface Planned {
  readonly name: string;
  readonly plan: Plan;
}

const planned: fc.Arbitrary<Planned> = fc
  .record({
    name: fc.constantFrom(...names),
    prompt: fc.integer({ min: 3, max: 2000 }),
    answer: fc.integer({ min: 1, max: 2000 }),
    pieces: fc.array(fc.string({ unit: 'binary', minLength: 1 }), { minLength: 1 }),
    ending: fc.constantFrom<Plan['ending']>(...Array(8).fill('reported'), 'silent', 'left'),
    chunk: fc.integer({ min: 7, max: 400 }),
  })
  .map(({ name, ending, ...plan }) => {
    // A client can only leave a stream before its end.
    const isCut = ending === 'left' && !endpoints[name]?.stream;
    return { name, plan: { ...plan, ending: isCut ? 'reported' : ending } };
  });

let folder: string;
let stands: Stands;
let rig: RelayRig;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-thousand-'));
  stands = await startStands('127.0.0.1', countingAnswers);
  const keys = names.map((name) => ({
    ...{ name, sha256: sha256Hex(name), budget: { tokens_per_month: 1e12 } },
    limits: { requests_per_minute: 100_000 },
  }));
  rig = await RelayRig.start(
    { ...settingsFor(stands), keys, usage_folder: folder },
    { provider: stands.openai, keys: standKeys },
  );
});
afterAll(async () => {
  await closeStands(stands);
  await rm(folder, { recursive: true });
});

async function send({ name, plan }: Planned): Promise<void> {
  const { path = '', stream, body } = endpoints[name] ?? {};
  const leaving = new AbortController();
  const answer = await rig.ask(path, {
    method: 'POST',
    headers: { authorization: `Bearer ${name}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', ...(stream ? { stream } : {}), ...body, format: plan }),
    signal: leaving.signal,
  });
  expect(answer.status).toBe(200);
  if (plan.ending !== 'left') {
    const text = await answer.text();
    if (stream && path.includes('completions'))
      expect(text.includes('"usage"')).toBe(name.endsWith('asked') && plan.ending === 'reported');
    return;
  }
  await answer.body?.getReader().read();
  leaving.abort();
}

/** Sends requests, sixteen at a time. */
async function sendAll(requests: readonly Planned[]): Promise<void> {
  const pending = requests.values();
  const work = async () => {
    for (const each of pending) await send(each);
  };
  await Promise.all(Array.from({ length: 16 }, work));
}

describe('the usage of a thousand mixed requests', () => {
  it("equals the providers' own count where they report one, and is estimated elsewhere", async () => {
    const requests = fc.sample(planned, { numRuns: 1000, seed: 33 });
    await sendAll(requests);
    await rig.stop();
    const stored = await readStoredUsage(folder, process.getuid?.() ?? 0);
    if (typeof stored === 'string') throw new Error(stored);
    const rows = names.map((name) => {
      const own = requests.filter((each) => each.name === name);
      const isReported = ({ plan }: Planned) => plan.ending === 'reported';
      const { tokens, estimated, requests: counted } = stored.ledger.total(name, '2000-01-01');
      expect(counted).toBe(own.length);
      const provider = own.filter(isReported).reduce((sum, each) => sum + costOf(each), 0);
      const unreported = own.filter((each) => !isReported(each));
      // An estimate is never less than the bytes that were sent, three a token.
      expect(estimated).toBeGreaterThanOrEqual(
        unreported.reduce((sum, { plan }) => sum + JSON.stringify(plan).length / 3, 0),
      );
      expect(estimated > 0).toBe(unreported.length > 0);
      return { name, counted, provider, difference: tokens - estimated - provider, estimated };
    });
    print(rows);
    expect(rows.filter(({ difference }) => difference !== 0)).toEqual([]);
    expect(new Set(requests.map(({ plan }) => plan.ending)).size).toBe(3);
  });
});

/** Returns the tokens that a provider counts. Embeddings have no answer. */
function costOf({ name, plan: { prompt, answer } }: Planned): number {
  return prompt + (name.startsWith('embeddings') || name === 'ollama-embed' ? 0 : answer);
}

type Row = Readonly<Record<'counted' | 'provider' | 'difference' | 'estimated', number>>;

function print(rows: ReadonlyArray<Row & { readonly name: string }>): void {
  const share = ({ provider, estimated }: Row) =>
    `${((100 * estimated) / (provider + estimated)).toFixed(2)} %`;
  const cells = rows.map((row) => [
    ...[row.name, `${row.counted}`, `${row.provider}`, `${row.difference}`, share(row)],
  ]);
  const head = ['KEY', 'REQUESTS', 'PROVIDER', 'DIFFERENCE', 'ESTIMATED'];
  const right = { align: 'right' } as const;
  console.log(formatTable([head, ...cells], [{}, right, right, right, right]));
}
