import { describe, expect, it } from 'vitest';
import { check } from './checks.ts';

describe('a check of all files', () => {
  it('counts as one test', async () => {
    expect(await check('true', [])).toMatchObject({ passed: 1, failed: 0, failures: [] });
  });

  it('names a failed check of all files among the failures', async () => {
    const failures = ['failed: test -e /nowhere'];
    expect(await check('test', ['-e', '/nowhere'])).toMatchObject({
      passed: 0,
      failed: 1,
      failures,
    });
  });
});
