import { componentOf, selectableComponents } from '#contract/component-names.ts';
import { providerTable } from '#contract/known-providers.ts';
import { inLanguage } from '#contract/text/language.ts';
import type { Answers } from '../answers.ts';
import { back, type Question, question } from '../prompts.ts';
import { serverSizes } from '../server-sizes.ts';
import { texts } from '../texts.ts';

/** The front-ends have OpenAI's API only. */
const isHosted = ({ providers = [] }: Answers) =>
  providers.some((name) => providerTable[name]?.api === undefined);

/** A release for several sizes has models that the server may be able to run. */
function hasLocalModel({ memory = 'any' }: Answers): boolean {
  return memory === 'any' || serverSizes[memory].chat !== undefined;
}

function titleOf(name: (typeof selectableComponents)[number]): string {
  const { page, title } = componentOf(name);
  const text = page?.heading ?? title;
  return text ? inLanguage(text) : '';
}

export const modelQuestions: readonly Question[] = [
  // Other providers can be added to site.yaml.
  question('providers', async (prompts, answers, { providers: initialValues = [] }) => {
    const choices = Object.entries(providerTable).map(([name, { title, baseUrl }]) => ({
      value: name,
      label: `${title}: ${baseUrl}`,
    }));
    for (;;) {
      const chosen = await prompts.selectSeveral(texts().providers, choices, initialValues);
      if (chosen === back || chosen.length > 0 || hasLocalModel(answers)) return chosen;
      // The menu of models would be empty.
      const isWanted = await prompts.confirm(texts().withoutModels, false);
      if (isWanted === back) return back;
      if (isWanted) return chosen;
    }
  }),
  question(
    'frontEnds',
    (prompts, _answers, { frontEnds: initialValues = [] }) => {
      const choices = selectableComponents.map((name) => {
        const { upkeep } = componentOf(name);
        const hint = upkeep ? inLanguage(upkeep) : '';
        return { value: name, label: `${componentOf(name).product}: ${titleOf(name)}`, hint };
      });
      return prompts.selectSeveral(texts().frontEnds, choices, initialValues);
    },
    isHosted,
  ),
  question(
    'localModels',
    (prompts, _answers, { localModels = true }) =>
      prompts.confirm(texts().localModels, localModels),
    // The size of the server decides for one size; a published release and one for several sizes have all.
    (answers) => isHosted(answers) && (answers.memory ?? 'any') === 'any',
  ),
];
