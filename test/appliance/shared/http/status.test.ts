import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpClient } from '#http/client.ts';
import { isTransient } from '#http/retry.ts';
import { readRetryAfter, statusError } from '#http/status.ts';
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
  const response = await client.send({ url: server.url('/v2/a?X-Signature=secret') });
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
    const response = await client.send({ url: server.url('/') });
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

const now = Date.parse('2026-01-01T00:00:00Z');

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['7', 7000],
    [' 120 ', 120_000],
    ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
    ['Wed, 31 Dec 2025 23:59:59 GMT', 0],
  ])('%j is %i ms', (value, expected) => {
    expect(readRetryAfter(value, now)).toBe(expected);
  });

  it.each([
    '',
    '-1',
    '1.5',
    '1e3',
    '0x10',
    'soon',
    '2026-01-01',
    '9999999999',
    'Thu, 99 Foo 2026 00:00:30 GMT',
  ])('%j is ignored', (value) => {
    expect(readRetryAfter(value, now)).toBeUndefined();
  });

  it('may be missing', () => {
    expect(readRetryAfter(undefined)).toBeUndefined();
  });

  it('accepts every HTTP date', () => {
    const future = fc.date({ min: new Date(now), max: new Date(now + 1e11), noInvalidDate: true });
    fc.assert(
      fc.property(future, (date) => {
        const seconds = Math.floor((date.getTime() - now) / 1000);
        expect(readRetryAfter(date.toUTCString(), now)).toBe(seconds * 1000);
      }),
    );
  });

  it('reads any text as Retry-After, and returns no negative delay', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        expect(readRetryAfter(value, now) ?? 0).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
