import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { symptoms } from '../../../../appliance/doctor/symptoms/all-symptoms.ts';
import { renderSymptoms, renderWalk } from '../../../../appliance/doctor/symptoms/render-walk.ts';
import type { Question } from '../../../../appliance/doctor/symptoms/symptom.ts';
import { walk } from '../../../../appliance/doctor/symptoms/walk.ts';

const pages = await Promise.all(
  ['doctor.md', 'zh/doctor.md'].map((path) =>
    readFile(new URL(`../../../../docs/${path}`, import.meta.url), 'utf8'),
  ),
);

/** Returns the indexes of all ways to a remedy. */
function ways({ answers }: Question): number[][] {
  return answers.flatMap((answer, index) =>
    'remedy' in answer ? [[index]] : ways(answer.next).map((rest) => [index, ...rest]),
  );
}

describe.each(symptoms.map((symptom) => [symptom.name, symptom] as const))(
  'the symptom %s',
  (name, symptom) => {
    it('leads to a remedy in whole sentences with every answer', async () => {
      for (const way of ways(symptom.first)) {
        const left = [...way];
        const remedy = await walk(symptom.first, async (question, answers) => {
          expect(question).toMatch(/\?$/);
          expect(new Set(answers).size).toBeGreaterThan(1);
          return left.shift() ?? -1;
        });
        expect(remedy).toMatch(/^[A-Z`].*\.$/s);
        expect(left).toEqual([]);
        expect(renderWalk(symptom)).toContain(remedy);
      }
    });

    it('is documented in English and Chinese', () => {
      for (const page of pages) expect(page).toContain(`| \`${name}\` |`);
    });
  },
);

describe('the list of symptoms', () => {
  it('has one line for each', () => {
    const lines = renderSymptoms(symptoms).split('\n');
    expect(lines).toHaveLength(symptoms.length);
    expect(lines[0]).toMatch(/^browser-403 +the browser shows 403$/);
  });
});
