import { componentOf, selectableComponents } from '#contract/component-names.ts';
import { providerTable } from '#contract/known-providers.ts';
import { inLanguage } from '#contract/text/language.ts';
import type { Answers } from '../answers.ts';
import { type Question, question } from '../prompts.ts';
import { texts } from '../texts.ts';

/** The front-ends have OpenAI's API only. */
const isHosted = ({ providers = [] }: Answers) =>
  providers.some((name) => providerTable[name]?.api === undefined);

function titleOf(name: (typeof selectableComponents)[number]): string {
  const { page, title = '' } = componentOf(name);
  return page ? inLanguage(page.heading) : title;
}

export const modelQuestions: readonly Question[] = [
  // Other providers can be added to site.yaml.
  question('providers', (prompts, _answers, { providers: initialValues = [] }) => {
    const choices = Object.entries(providerTable).map(([name, { title, baseUrl }]) => ({
      value: name,
      label: `${title}: ${baseUrl}`,
    }));
    return prompts.selectSeveral(texts().providers, choices, initialValues);
  }),
  question(
    'frontEnds',
    (prompts, _answers, { frontEnds: initialValues = [] }) => {
      const choices = selectableComponents.map((name) => {
        const { upkeep } = componentOf(name);
        const hint = upkeep ? inLanguage(upkeep) : '';
        return { value: name, label: `${name}: ${titleOf(name)}`, hint };
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
