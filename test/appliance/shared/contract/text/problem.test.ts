import { describe, expect, it } from 'vitest';
import { formatProblem, formatProblems } from '#contract/text/problem.ts';

describe('a problem', () => {
  it.each([
    [{ message: 'no key' }, 'no key'],
    [{ message: 'no key', hint: 'Give one.' }, 'no key (Give one.)'],
    [{ message: 'no key', file: 'site.yaml' }, 'site.yaml  no key'],
    [
      { message: 'no key', hint: 'Give one.', file: 'site.yaml', line: 3, column: 7 },
      'site.yaml:3:7  no key (Give one.)',
    ],
  ])('%o is formatted as %s', (problem, text) => {
    expect(formatProblem(problem)).toBe(text);
  });

  it('indents problems in a list', () => {
    expect(formatProblems([{ message: 'a' }, { message: 'b', hint: 'c' }])).toEqual([
      '  a',
      '  b (c)',
    ]);
  });
});
