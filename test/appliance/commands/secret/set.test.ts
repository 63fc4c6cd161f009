import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { landfall } from '../landfall.ts';

beforeEach(() => vi.spyOn(process, 'getuid').mockReturnValue(0));
afterEach(() => vi.restoreAllMocks());

describe('landfall secret', () => {
  it.each([
    [[]],
    [['get', 'OPENAI_API_KEY']],
    [['sk-very-secret-value']],
    [['--value', 'set', 'sk-very-secret-value']],
    [['set', 'OPENAI_API_KEY', 'sk-very-secret-value']],
    [['set', 'OPENAI_API_KEY', '--value=sk-very-secret-value']],
    [['set', 'OPENAI_API_KEY', '-sk-very-secret-value']],
  ])('rejects %j without printing the value', async (args) => {
    const { code, stdout, stderr } = await landfall('secret', ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(
      'error USAGE: landfall secret takes only set, list or rotate, and names',
    );
    expect(stderr).not.toContain('very-secret');
  });
});
