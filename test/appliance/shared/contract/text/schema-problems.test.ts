import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { schemaProblems } from '#contract/text/json.ts';

const schema = z.strictObject({ layers: z.array(z.object({ size: z.int('must be a number') })) });

function problemsOf(value: unknown, ...rest: [] | [(path: readonly PropertyKey[]) => string]) {
  const issues = schema.safeParse(value).error?.issues ?? [];
  return schemaProblems(issues, ...rest).map(({ message }) => message);
}

describe('problems of a schema', () => {
  it('start with the path of the field', () => {
    expect(problemsOf({ layers: [{ size: 1 }, { size: 'x' }] })).toEqual([
      'layers.1.size: must be a number',
    ]);
  });

  it('use the field names of the caller', () => {
    expect(problemsOf({ layers: [{}] }, ([first]) => `the ${String(first)}`)).toEqual([
      'the layers: must be a number',
    ]);
  });

  it('mark the top level', () => {
    expect(problemsOf(undefined)).toEqual([expect.stringMatching(/^\(top level\): /)]);
  });

  it('limits the problems of a schema to 20', () => {
    expect(problemsOf({ layers: Array(1000).fill({}) })).toHaveLength(20);
  });

  it('quote the input as one line of plain text of bounded length', () => {
    const [message = ''] = problemsOf({ layers: [], ['\u001b[2J\n'.repeat(1000)]: 1 });
    expect(message).toMatch(/^[\x20-\x7e]{1,400}$/);
  });
});
