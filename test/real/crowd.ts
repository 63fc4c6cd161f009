import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { RealBrowser } from './browser/browser.ts';
import { Person } from './browser/person.ts';
import { names } from './real-models.ts';

/** A signed-in person, and where more people come from. */
interface Session {
  readonly guest: Person;
  readonly browser: RealBrowser;
  readonly url: string;
  readonly pictures: string;
}

const questions = [
  'Write two sentences about rivers.',
  'Write two sentences about bread.',
  'Write two sentences about trains.',
  'Write two sentences about winter.',
  'Write two sentences about music.',
];

/** Milliseconds from the question to the first word and to the end of the reply. */
interface Times {
  readonly first: number;
  readonly last: number;
}

/** Five people with one small server. The times are written to `five-people.json` beside the pictures. */
export function crowd(session: () => Session): void {
  it('answers five people who ask in the same second', async () => {
    const { guest, browser, url, pictures } = session();
    const storageState = await guest.page.context().storageState();
    const people = await Promise.all(
      questions.map(async (_question, index) => {
        const page = await browser.window({ storageState });
        const person = new Person(page, join(pictures, `crowd-${index + 1}`));
        await person.newChat(url, names.writing);
        return person;
      }),
    );
    const times = await Promise.all(
      people.map(async (person, index) => await timeAnswer(person, questions[index] ?? '')),
    );
    await people[0]?.picture('answered');
    await writeFile(join(pictures, 'five-people.json'), JSON.stringify(times));
    for (const person of people) {
      expect((await person.replies.first().innerText()).length).toBeGreaterThan(20);
      await person.page.context().close();
    }
    // Each waits at most until the others have their answers.
    expect(Math.max(...times.map(({ first }) => first))).toBeLessThan(60_000);
  });
}

async function timeAnswer(person: Person, question: string): Promise<Times> {
  const start = performance.now();
  const since = () => Math.round(performance.now() - start);
  await person.send(question);
  await person.replies.locator('p', { hasText: /\w/ }).first().waitFor({ timeout: 60_000 });
  const first = since();
  await person.finished();
  return { first, last: since() };
}
