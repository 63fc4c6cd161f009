import { describe, expect, it } from 'vitest';
import { importsIn, sourcesBelow, textOf } from './sources.ts';

const exported =
  /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type|enum) ([A-Za-z_$][\w$]*)/gm;

const exportedFunction = /^export (?:async )?function\*? ([A-Za-z_$][\w$]*)/gm;
const comments = /^\s*(?:\/\/|\/?\*).*$/gm;

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

  // Regression: what changes the trusted keys was written and tested, and nothing called it.
  it('calls every exported function from the product, not only from tests', () => {
    const product = [...sourcesBelow('builder'), ...sourcesBelow('appliance')];
    const imported = new Set(
      product.flatMap((path) =>
        importsIn(path).flatMap(({ target, names }) => names.map((name) => `${target} ${name}`)),
      ),
    );
    const isUsedIn = (path: string, name: string) =>
      [
        ...textOf(path)
          .replace(comments, '')
          .matchAll(new RegExp(`\\b${name}\\b`, 'g')),
      ].length > 1;
    const uncalled = product.flatMap((path) =>
      [...textOf(path).matchAll(exportedFunction)]
        .map(([, name = '']) => name)
        .filter((name) => !imported.has(`${path} ${name}`) && !imported.has(`${path} *`))
        .filter((name) => !isUsedIn(path, name))
        .map((name) => `${path}: ${name}`),
    );
    expect(uncalled, 'call it, or remove it with its tests').toEqual([]);
  });
});
