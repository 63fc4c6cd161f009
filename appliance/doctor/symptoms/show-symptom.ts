import { askToChoose } from '../prompts.ts';
import { symptoms } from './all-symptoms.ts';
import { renderSymptoms, renderWalk } from './render-walk.ts';
import { walk } from './walk.ts';

/**
 * Leads from a symptom to its remedy: with questions on a terminal, else by printing all of them.
 * @param name a name of the table, or `list`
 */
export async function showSymptom(name: string, json: boolean): Promise<void> {
  const symptom = symptoms.find((each) => each.name === name);
  if (!symptom) {
    const list = symptoms.map(({ name: each, title }) => ({ name: each, title }));
    return console.log(json ? JSON.stringify(list, null, 2) : renderSymptoms(symptoms));
  }
  if (json) return console.log(JSON.stringify(symptom, null, 2));
  if (!process.stdin.isTTY || !process.stderr.isTTY) return console.log(renderWalk(symptom));
  console.log(await walk(symptom.first, askToChoose));
}
