import { describe, expect, it } from 'vitest';
import { sourcesBelow, textOf } from './sources.ts';

const hookOfModule = /^(?:before|after)(?:Each|All)\(/m;

describe('the helpers of tests', () => {
  // Unit tests share processes: such a hook ran in the first file only, and 70 folders stayed in /tmp.
  it('register no hook when they are loaded', () => {
    const helpers = sourcesBelow('test').filter((path) => !path.endsWith('.test.ts'));
    const hooked = helpers.filter((path) => hookOfModule.test(textOf(path)));
    expect(hooked, 'call `afterThisTest` or `afterThisFile` of test/setup/cleanup.ts').toEqual([]);
  });
});
