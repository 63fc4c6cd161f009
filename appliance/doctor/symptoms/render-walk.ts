import { formatTable } from '#contract/text/table.ts';
import type { Question, Symptom } from './symptom.ts';

/** Formats the names and titles of symptoms as a table. */
export function renderSymptoms(symptoms: readonly Symptom[]): string {
  return formatTable(symptoms.map(({ name, title }) => [name, title]));
}

/** Formats all questions, answers and remedies of a symptom as an indented tree. */
export function renderWalk({ title, first }: Symptom): string {
  return [title, '', ...linesOf(first, '')].join('\n');
}

function linesOf({ question, answers }: Question, indent: string): string[] {
  return [
    `${indent}${question}`,
    ...answers.flatMap((each) => [
      `${indent}- ${each.answer}`,
      ...('next' in each ? linesOf(each.next, `${indent}  `) : [`${indent}  ${each.remedy}`]),
    ]),
  ];
}
