import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { chineseFindings } from '../../../appliance/doctor/chinese-findings.ts';
import { findingCodes, rowOf } from '../../../appliance/doctor/codes.ts';
import { specConditions } from '../../../appliance/doctor/spec-conditions.ts';
import { symptoms } from '../../../appliance/doctor/symptoms.ts';

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

  it('are in the Chinese page, with the texts of the command and in the same order', () => {
    const rows = rowsIn(chinese);
    expect([...rows.keys()].filter(isCode)).toEqual(findingCodes);
    const plain = (cell = '') => cell.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
    for (const code of findingCodes) {
      const [meaning, remedy] = rows.get(code) ?? [];
      expect(chineseFindings[code], code).toEqual({ meaning, remedy: plain(remedy) });
    }
  });
});

/** Conditions that only a person sees, with a word of the remedy. */
const symptomOf: Partial<Record<(typeof specConditions)[number], readonly [string, RegExp]>> = {
  'reverse proxy 403': ['browser-403', /Use the domain/],
  'reverse proxy 502 Bad Gateway': ['browser-502', /3000:8080.+127\.0\.0\.1:3000.+error log/s],
  'web UI shows engine connection failure': ['chat-no-model', /http:\/\/engine:11434/],
  'editor verification code not received': ['editor-code', /spam.+international mail provider/s],
  'editor AI reply empty or "Network Error"': ['editor-ai-reply', /API domains.+wildcard/s],
  'editor code-hosting login spins': ['editor-login-spins', /http\.proxy.+loopback.+email/s],
  'locked out of SSH': ['ssh-locked-out', /Before you edit sshd_config/],
};

describe('the conditions of SPEC 7', () => {
  it.each(specConditions)('have a finding or a symptom: %s', (condition) => {
    const codes = findingCodes.filter((code) => rowOf(code).condition === condition);
    const [name, remedy = /^$/] = symptomOf[condition] ?? [];
    if (name === undefined) return expect(codes).not.toEqual([]);
    expect(symptoms.en.find((each) => each.name === name)?.text).toMatch(remedy);
  });
});

describe('the symptoms', () => {
  it('have a title and causes with remedies in both languages, under the same names', () => {
    const names = symptoms.en.map(({ name }) => name);
    expect(names.length).toBeGreaterThan(9);
    expect(symptoms.zh.map(({ name }) => name)).toEqual(names);
    for (const { name, title, text } of [...symptoms.en, ...symptoms.zh]) {
      expect(title, name).not.toBe('');
      expect(text, name).toMatch(/^- [\s\S]+[.。]$/);
      expect(text, name).not.toMatch(/\*\*|^#/m);
    }
  });
});
