import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changesBetween } from '../../../builder/diff/change.ts';

const items = fc
  .dictionary(fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor'), fc.nat(2))
  .map((record) => new Map(Object.entries(record)));

describe('the changes between two lists', () => {
  it('are sorted by name, with null for the side without the item', () => {
    const before = new Map([
      ['removed', 1],
      ['changed', 2],
      ['same', 3],
    ]);
    const after = new Map([
      ['same', 3],
      ['changed', 4],
      ['added', 5],
    ]);
    expect(changesBetween(before, after)).toEqual([
      { name: 'added', before: null, after: 5 },
      { name: 'changed', before: 2, after: 4 },
      { name: 'removed', before: 1, after: null },
    ]);
  });

  it('compare all fields, or as the caller defines', () => {
    const [before, after] = [new Map([['a', { id: 1, note: 'x' }]]), new Map([['a', { id: 1 }]])];
    expect(changesBetween<{ id: number }>(before, after)).toHaveLength(1);
    expect(changesBetween<{ id: number }>(before, after, (a, b) => a.id === b.id)).toEqual([]);
  });

  it('are empty for a list and itself, and mirrored for swapped lists', () => {
    fc.assert(
      fc.property(items, items, (before, after) => {
        expect(changesBetween(before, before)).toEqual([]);
        const mirrored = changesBetween(after, before).map((change) => ({
          name: change.name,
          before: change.after,
          after: change.before,
        }));
        expect(changesBetween(before, after)).toEqual(mirrored);
      }),
    );
  });
});
