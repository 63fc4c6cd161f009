import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import {
  recordFailure,
  retryDelay,
  storedAttempts,
} from '../../../../appliance/stages/tls/attempts.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const minutes = (count: number) => count * 60_000;
const now = new Date('2026-11-21T08:00:00Z');
const noName = new LandfallError('TLS_NAME', 'a host name does not resolve to this server yet', {
  hint: 'Make the record.',
  problems: [{ message: 'chat.example.com has no A or AAAA record', hint: 'Make it.' }],
});
const unverified = new LandfallError('ACME_CHALLENGE', 'could not verify');

describe('the delay until the next attempt', () => {
  it('waits two minutes while a record is missing, and longer after an hour and a day', () => {
    expect([1, 30, 31, 168, 169].map((count) => retryDelay('TLS_NAME', count))).toEqual(
      [2, 2, 10, 10, 60].map(minutes),
    );
  });

  it('doubles after each refusal, up to six hours', () => {
    expect([1, 2, 3, 5, 6, 50].map((count) => retryDelay('ACME_REFUSED', count))).toEqual(
      [15, 30, 60, 240, 360, 360].map(minutes),
    );
  });

  it('allows fewer than five failed verifications per hour', () => {
    const first = [1, 2, 3, 4].map((count) => retryDelay('ACME_CHALLENGE', count));
    expect(first.reduce((sum, delay) => sum + delay)).toBeGreaterThan(minutes(60));
  });
});

describe('a failure', () => {
  it('stores a failure with its hint', async () => {
    const host = TemporaryHost.with({});
    await recordFailure(host, noName, { now });
    const kept = await storedAttempts.read(host);
    expect(kept).toMatchObject({ failures: 1, notBefore: '2026-11-21T08:02:00.000Z' });
    expect(kept).toMatchObject({
      code: noName.code,
      message: noName.message,
      hint: noName.hint,
      problems: noName.problems,
    });
  });

  it('resets the count for another code', async () => {
    const host = TemporaryHost.with({});
    for (const error of [noName, noName, unverified]) await recordFailure(host, error, { now });
    expect(await storedAttempts.read(host)).toMatchObject({ failures: 1, code: 'ACME_CHALLENGE' });
    await recordFailure(host, unverified, { now });
    expect(await storedAttempts.read(host)).toMatchObject({ failures: 2 });
  });

  it("waits for the authority's time, and at least the usual delay", async () => {
    const host = TemporaryHost.with({});
    await recordFailure(host, unverified, { now, retryAt: new Date('2026-11-22T00:00:00Z') });
    expect((await storedAttempts.read(host))?.notBefore).toBe('2026-11-22T00:00:00.000Z');
    await recordFailure(host, unverified, { now, retryAt: new Date(0) });
    expect((await storedAttempts.read(host))?.notBefore).toBe('2026-11-21T08:30:00.000Z');
  });

  it('deletes a failure after a success', async () => {
    const host = TemporaryHost.with({});
    await recordFailure(host, noName, { now });
    await storedAttempts.remove(host);
    await storedAttempts.remove(host);
    expect(await storedAttempts.read(host)).toBeUndefined();
  });

  it.each(['', '{', '{"failures":-1}', '[]', 'null'])(
    'may be kept in a broken file: %j',
    async (text) => {
      const host = TemporaryHost.with({ 'var/lib/landfall/tls-attempts.json': text });
      expect(await storedAttempts.read(host)).toBeUndefined();
      await recordFailure(host, noName, { now });
      expect(await storedAttempts.read(host)).toMatchObject({ failures: 1 });
    },
  );

  it('stores a failure of the server itself as ACME_REFUSED', async () => {
    const host = TemporaryHost.with({});
    await recordFailure(host, new LandfallError('TOOL_MISSING', 'no docker'), { now });
    expect(await storedAttempts.read(host)).toMatchObject({
      code: 'ACME_REFUSED',
      message: 'no docker',
    });
  });
});
