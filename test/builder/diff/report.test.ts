import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../../builder/diff/report.ts';
import { shownDigest, shownSize } from '../../../builder/diff/shown.ts';

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
  it('has the fields that differ', () => {
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
