import { describe, expect, it } from 'vitest';
import { sourcesBelow, textOf } from './sources.ts';

/** The start of a test with its name, also with a table: `it.each([…])('name'`. */
const testName = /\b(?:it|test)(?:\.\w+)?(?:\([^;]*?\))?\(\s*(['"`])(.+?)\1,/gs;
/** The beginning of a name that needs the title of its `describe`. */
const fragment = /^(?:is|are|has|have|of)\b/;
describe('the names of tests', () => {
  const names = sourcesBelow('test')
    .filter((path) => /(?:\.test|-view)\.ts$/.test(path))
    .flatMap((path) => [...textOf(path).matchAll(testName)].map(([, , name = '']) => name));

  it('start with a verb that says what the program does', () => {
    expect(names.length).toBeGreaterThan(3000);
    const fragments = names.filter((name) => fragment.test(name));
    expect(fragments).toEqual([]);
  });
});
