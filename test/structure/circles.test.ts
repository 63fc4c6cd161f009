import { describe, expect, it } from 'vitest';
import { importsOf, sourcesBelow } from './sources.ts';

type Graph = ReadonlyMap<string, readonly string[]>;

/** Finds one import cycle for each file that closes one: `a -> b -> a`. */
function circlesIn(graph: Graph): string[] {
  const circles: string[] = [];
  const finished = new Set<string>();
  const visit = (file: string, above: readonly string[]): void => {
    const start = above.indexOf(file);
    if (start !== -1) circles.push([...above.slice(start), file].join(' -> '));
    if (start !== -1 || finished.has(file)) return;
    for (const target of graph.get(file) ?? []) visit(target, [...above, file]);
    finished.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return circles;
}

describe('the search for cycles', () => {
  it('finds a cycle of two files, and a longer one', () => {
    const graph = new Map([
      ['a', ['b', 'c']],
      ['b', ['a']],
      ['c', ['d']],
      ['d', ['e', 'package']],
      ['e', ['c']],
    ]);
    expect(circlesIn(graph)).toEqual(['a -> b -> a', 'c -> d -> e -> c']);
  });

  it('finds nothing if two files share an import', () => {
    const graph = new Map([
      ['a', ['b', 'c']],
      ['b', ['d']],
      ['c', ['d']],
    ]);
    expect(circlesIn(graph)).toEqual([]);
  });
});

describe('the files of builder and appliance', () => {
  it('import each other without cycles, types included', () => {
    const files = [...sourcesBelow('builder'), ...sourcesBelow('appliance')];
    const circles = circlesIn(new Map(files.map((file) => [file, importsOf(file)])));
    expect(circles, 'move what two files of a cycle share to a third file').toEqual([]);
  });
});
