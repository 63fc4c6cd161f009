import type { Question } from './symptom.ts';

/**
 * Asks the questions and returns the remedy.
 * @param choose returns the index of the chosen answer
 */
export async function walk(
  first: Question,
  choose: (question: string, answers: readonly string[]) => Promise<number>,
): Promise<string> {
  let current = first;
  for (;;) {
    const texts = current.answers.map(({ answer }) => answer);
    const chosen = current.answers[await choose(current.question, texts)];
    if (!chosen) throw new TypeError(`no such answer to: ${current.question}`);
    if ('remedy' in chosen) return chosen.remedy;
    current = chosen.next;
  }
}
