import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Target } from '../../../appliance/smoke/target.ts';
import { engineTests } from '../../../appliance/smoke/tests/engine.ts';
import { insideTarget } from './inside-target.ts';
import { outcomes as outcomesOf } from './outcomes.ts';

let server: Server;
afterEach(() => server.close());

/** An engine that lists what it is told to, and knows no model when it is asked to generate. */
async function targetListing(models: unknown): Promise<Target> {
  server = createServer((request, response) => {
    const [status, body] = answerTo(request.url ?? '', models);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return insideTarget({}, { engine: `http://127.0.0.1:${port}` });
}

function answerTo(path: string, models: unknown): [number, unknown] {
  if (path === '/api/version') return [200, { version: '0.35.1' }];
  if (path === '/api/tags') return [200, { models }];
  return [404, { error: "model 'x' not found" }];
}

async function outcomes(models: unknown): Promise<Record<string, string>> {
  return await outcomesOf(await targetListing(models), engineTests);
}

describe('an engine without a model', () => {
  // A release that named a model which nobody had pulled kept the first boot from ever ending.
  it('passes, and what needs a model is skipped', async () => {
    expect(await outcomes([])).toEqual({
      'engine-version': 'passed',
      'engine-models': 'passed',
      'engine-generate': 'skipped',
      'engine-generate-streamed': 'skipped',
      'engine-unknown-model': 'passed',
    });
  });
});

describe('an engine that lists something else than models', () => {
  it.each([[null], [[{ name: 'x' }]], ['none']])('fails with %j', async (models) => {
    expect(await outcomes(models)).toMatchObject({ 'engine-models': 'failed' });
  });
});

describe('an engine that lists a model and cannot run it', () => {
  it('fails', async () => {
    const model = {
      name: 'x:1b',
      model: 'x:1b',
      digest: 'a'.repeat(64),
      size: 1,
      modified_at: '2026-01-01T00:00:00Z',
    };
    expect(await outcomes([model])).toMatchObject({
      'engine-models': 'passed',
      'engine-generate': 'failed',
      'engine-generate-streamed': 'failed',
    });
  });
});
