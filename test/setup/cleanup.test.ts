import { describe, expect, it } from 'vitest';
import { afterThisFile, afterThisTest } from './cleanup.ts';

describe('the steps that a helper leaves for later', () => {
  const ran: string[] = [];

  it('leaves both kinds of steps until the test ends', () => {
    afterThisTest(() => void ran.push('test'));
    afterThisTest(async () => void ran.push('same test'));
    afterThisFile(() => void ran.push('file'));
    expect(ran).toEqual([]);
  });

  it('runs the steps of a test once, before the next test', () => {
    expect(ran).toEqual(['test', 'same test']);
  });

  it('does not run the steps of a file before its last test', () => {
    expect(ran).toEqual(['test', 'same test']);
  });
});
