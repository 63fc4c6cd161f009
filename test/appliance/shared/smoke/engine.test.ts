import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { engineTests } from '../../../../appliance/shared/smoke/cases/engine.ts';
import type { Inside, SmokeTarget } from '../../../../appliance/shared/smoke/target.ts';
import { insideTarget } from './inside-target.ts';
import { outcomes as outcomesOf, resultOf } from './outcomes.ts';

/** Result of a request to generate: a text, or Ollama's status and error. */
type Generated = string | { readonly status: number; readonly error: string };

/** Fields of a request that determine the response. */
interface Request {
  readonly model?: string;
  readonly stream?: boolean;
  readonly options?: { readonly temperature?: number };
}

/** The response of each model; `embedding` for models that cannot generate. */
type Models = Readonly<Record<string, Generated | 'embedding'>>;

let server: Server | undefined;
afterEach(() => server?.close());

/** An Ollama with configurable models and responses. */
async function targetListing(
  listed: unknown,
  models: Models = {},
  inside: Partial<Inside> = {},
): Promise<SmokeTarget> {
  server = createServer(async (request, response) => {
    const body = await text(request);
    const [status, answer] = answerTo(request.url ?? '', body && JSON.parse(body), listed, models);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(answer);
  });
  const listening = server;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const { port } = listening.address() as AddressInfo;
  return insideTarget({}, { engine: `http://127.0.0.1:${port}`, ...inside });
}

function answerTo(
  path: string,
  { model = '', stream = true, options }: Request,
  listed: unknown,
  models: Models,
): [number, string] {
  const known = models[model];
  if (path === '/api/version') return [200, JSON.stringify({ version: '0.35.1' })];
  if (path === '/api/tags') return [200, JSON.stringify({ models: listed })];
  if (known === undefined) return [404, JSON.stringify({ error: `model '${model}' not found` })];
  if (path === '/api/show') {
    const capabilities = known === 'embedding' ? ['embedding'] : ['completion', 'tools'];
    return [200, JSON.stringify({ capabilities })];
  }
  if (typeof known !== 'string') return [known.status, JSON.stringify({ error: known.error })];
  if (known === 'embedding') {
    return [400, JSON.stringify({ error: `"${model}" does not support generate` })];
  }
  const piece = (response: string, done: boolean) =>
    JSON.stringify({ model, created_at: '2026-01-01T00:00:00Z', response, done });
  // With random sampling, a model may return an empty response.
  if (options?.temperature !== 0) return [200, piece('', true)];
  return [200, stream ? `${piece(known, false)}\n${piece('', true)}\n` : piece(known, true)];
}

const record = (name: string) => ({
  name,
  model: name,
  digest: 'a'.repeat(64),
  size: 1,
  modified_at: '2026-01-01T00:00:00Z',
});

/** An Ollama with these models, in this order. */
const targetWith = (models: Models, locked: readonly string[] = []) =>
  targetListing(Object.keys(models).map(record), models, {
    models: locked.map((name) => ({ name, digest: null })),
  });

async function outcomes(listed: unknown): Promise<Record<string, string>> {
  return await outcomesOf(await targetListing(listed), engineTests);
}

describe('Ollama without a model', () => {
  // Regression: a release with a model that was not pulled made the first boot endless.
  it('passes, and tests of models are skipped', async () => {
    expect(await outcomes([])).toEqual({
      'engine-version': 'passed',
      'engine-models': 'passed',
      'engine-generate': 'skipped',
      'engine-generate-streamed': 'skipped',
      'engine-unknown-model': 'passed',
    });
  });
});

describe('Ollama with a model that may return nothing', () => {
  // Regression: one first boot in fifty failed with an empty streamed response.
  it.each(['engine-generate', 'engine-generate-streamed'])(
    'tests Ollama deterministically with a model that may return nothing (%s)',
    async (name) => {
      const result = await resultOf(name, await targetWith({ 'x:1b': 'Hello' }), engineTests);
      expect(result).toMatchObject({ outcome: 'passed' });
    },
  );
});

describe('Ollama with an invalid list of models', () => {
  it.each([[null], [[{ name: 'x' }]], ['none']])('fails with %j', async (models) => {
    expect(await outcomes(models)).toMatchObject({ 'engine-models': 'failed' });
  });
});

describe('Ollama with a model that does not run', () => {
  it.each([
    ['is gone', undefined],
    ['is broken', { status: 500, error: 'llama runner process has terminated: exit status 2' }],
  ])('fails when it %s', async (_case, answer) => {
    const target = await targetListing([record('x:1b')], answer ? { 'x:1b': answer } : {});
    expect(await outcomesOf(target, engineTests)).toMatchObject({
      'engine-models': 'passed',
      'engine-generate': 'failed',
      'engine-generate-streamed': 'failed',
    });
    const result = await resultOf('engine-generate', target, engineTests);
    expect(result.beyondServer).toBeUndefined();
  });
});

describe('Ollama that is not running', () => {
  // Regression: the run ended before any test, without results.
  it('fails each of its tests with the cause', async () => {
    const target = insideTarget({}, { engine: undefined });
    for (const { name } of engineTests) {
      expect(await resultOf(name, target, engineTests)).toMatchObject({
        outcome: 'failed',
        detail: 'the inference engine is not running',
      });
    }
  });
});

describe('Ollama with several models', () => {
  const tests = ['engine-generate', 'engine-generate-streamed'];

  // Regression: after the administrator pulled an embedding model, two tests failed.
  it.each(tests)('skips an embedding model with a note (%s)', async (name) => {
    const target = await targetWith({ 'nomic-embed-text:latest': 'embedding', 'x:1b': 'Hello' });
    expect(await resultOf(name, target, engineTests)).toMatchObject({
      outcome: 'passed',
      detail: 'skipped nomic-embed-text:latest: it does not generate text',
    });
  });

  it.each(tests)('prefers a model of the release (%s)', async (name) => {
    const broken = { status: 500, error: 'broken' };
    const target = await targetWith({ 'mine:1b': broken, 'x:1b': 'Hello' }, ['X:1b']);
    const { outcome, detail } = await resultOf(name, target, engineTests);
    expect({ outcome, detail }).toEqual({ outcome: 'passed', detail: undefined });
  });

  it.each(tests)('skips the test without a model that generates text (%s)', async (name) => {
    const target = await targetWith({ 'a:1b': 'embedding', 'b:1b': 'embedding' });
    expect(await resultOf(name, target, engineTests)).toMatchObject({
      outcome: 'skipped',
      detail: 'no model that generates text is installed, only a:1b, b:1b',
    });
  });
});

describe('Ollama with too little memory for a model', () => {
  const refusal = {
    status: 500,
    error: 'model requires more system memory (5.9 GiB) than is available (1.2 GiB)',
  };

  it.each([
    ['rejects the model', refusal],
    [
      'cannot allocate memory',
      {
        status: 500,
        error:
          'llama-server process has terminated: exit status 1: ggml_aligned_malloc: insufficient memory (attempted to allocate 131072.00 MB)',
      },
    ],
    [
      'loses its process while loading',
      { status: 500, error: 'llama-server process has terminated: signal: killed' },
    ],
    [
      'loses its process while loading, without a cause',
      { status: 500, error: 'llama-server process no longer running: unknown' },
    ],
    [
      'loses its process while generating',
      {
        status: 200,
        error: 'an error was encountered while running the model: unexpected EOF',
      },
    ],
    [
      'loses its process while streaming',
      {
        status: 200,
        error:
          'model runner has unexpectedly stopped, this may be due to resource limitations or an internal error, check ollama server logs for details',
      },
    ],
  ])('fails with a hint when it %s', async (_case, answer) => {
    const target = await targetWith({ 'qwen3:8b': answer });
    for (const name of ['engine-generate', 'engine-generate-streamed']) {
      const result = await resultOf(name, target, engineTests);
      expect(result).toMatchObject({ outcome: 'failed', beyondServer: true });
      expect(result.detail).toBe(`qwen3:8b: ${answer.error}`);
      expect(result.lookAt).toContain('sudo landfall models pull qwen3:0.6b');
    }
  });

  it('passes with a smaller model and notes the skipped one', async () => {
    const target = await targetWith({ 'small:1b': 'Hello', 'qwen3:8b': refusal }, ['qwen3:8b']);
    expect(await resultOf('engine-generate', target, engineTests)).toMatchObject({
      outcome: 'passed',
      detail: `skipped qwen3:8b: ${refusal.error}`,
    });
  });
});
