import { componentOf, selectableComponents } from '#contract/component-names.ts';
import { providerTable } from '#contract/known-providers.ts';
import { inLanguage } from '#contract/text/language.ts';
import type { Given } from '../given.ts';
import { back } from '../prompts.ts';
import { texts } from '../texts.ts';
import type { Question } from '../wizard.ts';

const isHosted = ({ providers = [] }: Given) => providers.length > 0;

/** Asks for providers from a list; other ones can be added to site.yaml. */
const providersQuestion: Question = {
  name: 'providers',
  ask: async (prompts, _given, earlier) => {
    const choices = Object.entries(providerTable).map(([name, { title, baseUrl }]) => ({
      value: name,
      label: `${title}: ${baseUrl}`,
    }));
    const options = { initialValues: earlier.providers ?? [], required: false };
    const answer = await prompts.selectSeveral(texts().providers, choices, options);
    return answer === back ? back : { providers: answer };
  },
};

function titleOf(name: (typeof selectableComponents)[number]): string {
  const { page, title = '' } = componentOf(name);
  return page ? inLanguage(page.heading) : title;
}

const frontEndsQuestion: Question = {
  name: 'frontEnds',
  applies: isHosted,
  ask: async (prompts, _given, earlier) => {
    const choices = selectableComponents.map((name) => ({
      value: name,
      label: `${name}: ${titleOf(name)}`,
      hint: componentOf(name).upkeep ?? '',
    }));
    const options = { initialValues: earlier.frontEnds ?? [], required: false };
    const answer = await prompts.selectSeveral(texts().frontEnds, choices, options);
    return answer === back ? back : { frontEnds: answer };
  },
};

const localModelsQuestion: Question = {
  name: 'localModels',
  // The size of the server decides for one size; a published release and one for several sizes have all.
  applies: (given) => isHosted(given) && (given.memory ?? 'any') === 'any',
  ask: async (prompts, _given, earlier) => {
    const answer = await prompts.confirm(texts().localModels, earlier.localModels ?? true);
    return answer === back ? back : { localModels: answer };
  },
};

export const modelQuestions: readonly Question[] = [
  providersQuestion,
  frontEndsQuestion,
  localModelsQuestion,
];
