import { describe, expect, it } from 'vitest';
import { TransferError } from '#http/transfer-error.ts';

describe('a failed exchange', () => {
  it('is retriable where the same request is tried again at once', () => {
    expect(new TransferError('HTTP_STATUS', 'status 503', { transient: true }).retriable).toBe(
      true,
    );
  });

  it('is otherwise as its code says', () => {
    const of = (code: 'HTTP_STATUS' | 'REGISTRY_RATE_LIMIT') =>
      new TransferError(code, 'x', { transient: false }).retriable;
    expect([of('HTTP_STATUS'), of('REGISTRY_RATE_LIMIT')]).toEqual([false, true]);
  });
});
