import { describe, expect, it } from 'vitest';
import { TransferError } from '#http/transfer-error.ts';

describe('a transfer error', () => {
  it('makes a transfer error retriable if it is transient', () => {
    expect(new TransferError('HTTP_STATUS', 'status 503', { transient: true }).retriable).toBe(
      true,
    );
  });

  it('makes another transfer error retriable if its code is', () => {
    const of = (code: 'HTTP_STATUS' | 'REGISTRY_RATE_LIMIT') =>
      new TransferError(code, 'x', { transient: false }).retriable;
    expect([of('HTTP_STATUS'), of('REGISTRY_RATE_LIMIT')]).toEqual([false, true]);
  });
});
