import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { chineseFindings } from '../../../appliance/doctor/chinese-findings.ts';
import { findingCodes, rowOf } from '../../../appliance/doctor/codes.ts';
import { specConditions } from '../../../appliance/doctor/spec-conditions.ts';
import { symptoms } from '../../../appliance/doctor/symptoms/all-symptoms.ts';

const read = (path: string) => readFile(new URL(`../../../docs/${path}`, import.meta.url), 'utf8');
const [page, chinese] = await Promise.all([read('doctor.md'), read('zh/doctor.md')]);
const isCode = (text: string) => findingCodes.some((code) => code === text);

/** Returns the cells of the rows whose first cell is a code, without the first. */
const rowsIn = (text: string) =>
  new Map(
    text
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) => line.slice(2, -2).split(' | '))
      .map(([first = '', ...cells]) => [first.replaceAll('`', ''), cells] as const),
  );

describe('the codes of findings', () => {
  it('name as causes only codes above them, so that the first finding is a cause', () => {
    for (const [index, code] of findingCodes.entries()) {
      for (const cause of rowOf(code).follows ?? []) {
        expect({
          code,
          cause,
          above: findingCodes.slice(0, index).includes(cause as never),
        }).toEqual({ code, cause, above: true });
      }
    }
  });

  it('have remedies in whole sentences', () => {
    for (const code of findingCodes) expect(rowOf(code).remedy, code).toMatch(/^[A-Z`].*\.$/);
  });

  it('are in docs/doctor.md, with their remedies and in their order', () => {
    const rows = rowsIn(page);
    expect([...rows.keys()].filter(isCode)).toEqual(findingCodes);
    for (const code of findingCodes) expect(rows.get(code)?.at(-1), code).toBe(rowOf(code).remedy);
  });

  it('lists the codes on the Chinese page with the texts of the command and in the same order', () => {
    const rows = rowsIn(chinese);
    expect([...rows.keys()].filter(isCode)).toEqual(findingCodes);
    const plain = (cell = '') => cell.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
    for (const code of findingCodes) {
      const [meaning, remedy] = rows.get(code) ?? [];
      expect(chineseFindings[code], code).toEqual({ meaning, remedy: plain(remedy) });
    }
  });
});

describe('the conditions of SPEC 7', () => {
  it.each(specConditions)('have a finding or a symptom: %s', (condition) => {
    const codes = findingCodes.filter((code) => rowOf(code).condition === condition);
    const walks = symptoms.filter((symptom) => symptom.condition === condition);
    expect([...codes, ...walks]).not.toEqual([]);
  });
});
