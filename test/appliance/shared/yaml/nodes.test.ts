import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Document, parseDocument } from 'yaml';
import { checkNodes } from '../../../../appliance/shared/yaml/nodes.ts';

function judge(text: string) {
  return checkNodes(
    parseDocument(text, { merge: true, stringKeys: true, uniqueKeys: false }),
    text,
  );
}

function messages(text: string): string[] {
  return judge(text).map(({ message }) => message);
}

describe('errors that the parser does not detect', () => {
  it.each([
    ['a duplicate key', 'a: 1\nb: 2\na: 3\n', 'duplicate key a'],
    ['a duplicate in quotes', 'a: 1\n"a": 2\n', 'duplicate key a'],
    ['a duplicate inside a list', '- { x: 1, x: 2 }\n', 'duplicate key x'],
    ['a duplicate number', '1: a\n"1": b\n', 'duplicate key 1'],
    ['an alias without an anchor', 'a: *b\n', 'the alias *b has no anchor above it'],
    ['an alias before its anchor', 'a: *b\nc: &b 1\n', 'the alias *b has no anchor above it'],
    ['a merge without an anchor', '<<: *b\n', 'the alias *b has no anchor above it'],
    ['a merge list without an anchor', '<<: [*b]\n', 'the alias *b has no anchor above it'],
    ['a list that contains itself', '&a [*a]\n', 'the alias *a contains itself'],
    ['a merge of a number', '<<: 5\n', 'a merge key ("<<") requires a map or a list of maps'],
    [
      'a merge of a list of strings',
      '<<: [a]\n',
      'a merge key ("<<") requires a map or a list of maps',
    ],
    [
      'an escape that hides',
      'a: "x\\u202ey"\n',
      'an escape sequence produces an invisible character',
    ],
    ['a zero byte', 'a: "\\0"\n', 'an escape sequence produces an invisible character'],
  ])('include %s', (_name, text, message) => {
    expect(messages(text)).toEqual([message]);
  });

  it('finds errors that the parser does not detect in one pass, each with its offset', () => {
    expect(judge('a: 1\na: 2\nb: *x\n').map(({ offset }) => offset)).toEqual([5, 13]);
  });
});

describe('a valid document', () => {
  it.each([
    ['one key in two maps', 'a: { x: 1 }\nb: { x: 1 }\n'],
    ['a merge of an alias', 'x: &x { a: 1 }\ny: { <<: *x, b: 2 }\n'],
    ['a merge of several', 'x: &x { a: 1 }\ny: &y { b: 1 }\nz: { <<: [*x, *y] }\n'],
    ['a merge by an alias of a list', 'x: &x [{ a: 1 }]\ny: { <<: *x }\n'],
    ['an anchor that is set again', 'a: &x 1\nb: *x\nc: &x 2\nd: *x\n'],
    ['a key called << in quotes', '"<<": 5\n'],
    ['a tab and a line break in a text', 'a: "x\\ty\\nz"\n'],
    ['no content', ''],
  ])('may have %s', (_name, text) => {
    expect(judge(text)).toEqual([]);
  });

  it('may have a hundred aliases, but no more', () => {
    const text = (count: number) => `a: &a 1\nb: [${Array(count).fill('*a').join(', ')}]\n`;
    expect(judge(text(100))).toEqual([]);
    expect(messages(text(101))).toEqual([expect.stringContaining('expand into too much data')]);
  });
});

describe('an alias bomb', () => {
  /** `width` aliases per level; the last level expands to width to the power of `levels` values. */
  function bomb(levels: number, width: number, inMap: boolean): string {
    const line = (level: number) => {
      const items = Array.from({ length: width }, (_, i) => {
        const inner = level === 0 ? 'x' : `*l${level - 1}`;
        return inMap ? `k${i}: ${inner}` : inner;
      });
      return `l${level}: &l${level} ${inMap ? `{${items.join(', ')}}` : `[${items.join(', ')}]`}`;
    };
    return `${Array.from({ length: levels }, (_, level) => line(level)).join('\n')}\n`;
  }

  it.each([true, false])('detects an alias bomb without expansion (maps: %s)', (inMap) => {
    expect(messages(bomb(12, 8, inMap))).toEqual([
      expect.stringContaining('expand into too much data'),
    ]);
  });

  it('counts an alias bomb exactly: an accepted document has the counted size', () => {
    const shape = fc.record({
      levels: fc.integer({ min: 1, max: 5 }),
      width: fc.integer({ min: 1, max: 4 }),
    });
    fc.assert(
      fc.property(shape, fc.boolean(), ({ levels, width }, inMap) => {
        const document = parseDocument(bomb(levels, width, inMap));
        expect(document).toBeInstanceOf(Document);
        const passes = checkNodes(document, '').length === 0;
        const size = JSON.stringify(document.toJS({ maxAliasCount: -1 })).length;
        if (passes) expect(size).toBeLessThan(200_000);
      }),
    );
  });
});

describe('a document that may contain secrets', () => {
  it('reports a document that may contain secrets without names that could be a password', () => {
    const text = 'password: *hunter2\n"a b": 1\n"a b": 2\nport: 1\nport: 2\n';
    const options = { merge: true, stringKeys: true, uniqueKeys: false };
    const found = checkNodes(parseDocument(text, options), text, { asText: true });
    expect(found.map(({ message }) => message)).toEqual([
      'duplicate key',
      'duplicate key port',
      'the alias has no anchor above it',
    ]);
  });
});
