import { describe, expect, it } from 'vitest';
import { importsIn, sourcesBelow, textOf } from './sources.ts';

const exported =
  /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type|enum) ([A-Za-z_$][\w$]*)/gm;

/** Returns the names that a file declares and exports. */
function exportsOf(path: string): string[] {
  return [...textOf(path).matchAll(exported)].map(([, name = '']) => name);
}

describe('an export', () => {
  it('imports every export in another file', () => {
    const product = [...sourcesBelow('builder'), ...sourcesBelow('appliance')];
    const imported = new Set(
      [...product, ...sourcesBelow('test')].flatMap((path) =>
        importsIn(path).flatMap(({ target, names }) => names.map((name) => `${target} ${name}`)),
      ),
    );
    const unused = product.flatMap((path) =>
      exportsOf(path)
        .filter((name) => !imported.has(`${path} ${name}`) && !imported.has(`${path} *`))
        .map((name) => `${path}: ${name}`),
    );
    expect(unused, 'remove `export`, or the code if it is unused').toEqual([]);
  });
});
