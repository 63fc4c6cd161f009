import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpClient } from '#http/client.ts';
import { isTransient } from '#http/retry.ts';
import { statusError } from '#http/status.ts';
import { status, tooManyRequests } from '../../../faulty-server/faults.ts';
import { FaultyServer } from '../../../faulty-server/faulty-server.ts';

let server: FaultyServer;
let client: HttpClient;

beforeEach(async () => {
  server = await FaultyServer.start({});
  client = new HttpClient({ env: {} });
});

afterEach(async () => {
  await client.close();
  await server.close();
});

async function errorFor(...answer: Parameters<typeof status>) {
  server.answer(status(...answer));
  const response = await client.request({ url: server.url('/v2/a?X-Signature=secret') });
  return statusError(response, 'the layer');
}

describe('an error status', () => {
  it.each([408, 429, 500, 502, 503, 504])('%i is transient', async (code) => {
    expect(isTransient(await errorFor(code))).toBe(true);
  });

  it.each([400, 401, 403, 404, 410, 416, 451, 501, 505])('%i is permanent', async (code) => {
    expect(isTransient(await errorFor(code))).toBe(false);
  });

  it('reports an error status with the request and the URL, without signed query parameters', async () => {
    expect(await errorFor(503)).toMatchObject({
      code: 'HTTP_STATUS',
      message: `the layer failed: ${server.origin}/v2/a responded with status 503`,
      status: 503,
      retryAfterMs: undefined,
    });
  });

  it.each([400, 401, 404, 407, 410, 429, 500])('%i has a hint', async (code) => {
    expect((await errorFor(code)).hint).toMatch(/^[A-Z].*\.$/);
  });
});

describe('a rate-limiting server', () => {
  it('reports a rate-limiting server with a separate code and the time to wait', async () => {
    server.answer(tooManyRequests('30'));
    const response = await client.request({ url: server.url('/') });
    expect(statusError(response, 'the manifest')).toMatchObject({
      code: 'REGISTRY_RATE_LIMIT',
      status: 429,
      retryAfterMs: 30_000,
    });
  });

  it('may send Retry-After with any status', async () => {
    expect(await errorFor(503, { 'retry-after': '1' })).toMatchObject({ retryAfterMs: 1000 });
  });
});
