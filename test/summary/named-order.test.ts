import { describe, expect, it } from 'vitest';
import type { TestSpecification, Vitest } from 'vitest/node';
import { inOrderOf } from './named-order.ts';

describe('the order of test files', () => {
  it('follows their names, and runs others last', async () => {
    const Sequencer = inOrderOf(['test/host/long.test.ts', 'test/host/short.test.ts']);
    const found = ['other', 'short', 'long'].map((name) => ({
      moduleId: `/project/test/host/${name}.test.ts`,
    }));
    const sorted = await new Sequencer({} as Vitest).sort(found as TestSpecification[]);
    expect(sorted.map(({ moduleId }) => moduleId.split('/').at(-1))).toEqual([
      'long.test.ts',
      'short.test.ts',
      'other.test.ts',
    ]);
  });
});
