import { describe, expect, it } from 'vitest';
import { mayBeSkipped } from './allowed-skips.ts';

describe('mayBeSkipped', () => {
  const allowed = [{ file: 'test/host/a.test.ts', reason: 'no IPv6' }];
  const listed = { file: 'test/host/a.test.ts', reason: 'no IPv6' };

  it('accepts in CI only a reason that is listed for the file', () => {
    expect(mayBeSkipped(listed, allowed, true)).toBe(true);
    expect(mayBeSkipped({ ...listed, reason: 'no Docker' }, allowed, true)).toBe(false);
    expect(mayBeSkipped({ ...listed, file: 'test/host/b.test.ts' }, allowed, true)).toBe(false);
  });

  it('accepts any reason on the machine of a contributor', () => {
    expect(mayBeSkipped({ file: 'a', reason: 'no Docker' }, allowed, false)).toBe(true);
  });

  it('rejects a test that is skipped without a reason', () => {
    expect(mayBeSkipped({ file: 'a', reason: undefined }, allowed, false)).toBe(false);
  });
});
