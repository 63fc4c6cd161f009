import { formatBytes } from '#contract/text/amount.ts';
import type { PackagedRelease } from '../../../deliver/packaged/packaged-release.ts';
import type { Answers } from '../answers.ts';
import { correctUrl } from '../check-answers.ts';
import { back, type Question, question, selectQuestion, textQuestion } from '../prompts.ts';
import {
  downloadSize,
  type ServerMemory,
  searchesAnyLanguage,
  serverSizes,
} from '../server-sizes.ts';
import { texts } from '../texts.ts';

/** What the questions about the release depend on. */
export interface ReleaseFacts {
  readonly packaged: PackagedRelease | undefined;
  /** Bytes by model of the reference appliance. */
  readonly modelSizes: Readonly<Record<string, number>>;
  /** Called when the user builds a release. @throws LandfallError FILE_EXISTS */
  readonly refuseExisting: () => Promise<void>;
}

const isOwn = ({ packaged }: Answers) => packaged !== true;

/** Returns the questions for a release: which one, for which servers, and how they get it. */
export function releaseQuestions(facts: ReleaseFacts): Question[] {
  const { packaged, modelSizes, refuseExisting } = facts;
  return [
    question(
      'packaged',
      async (prompts, _answers, { packaged: before = true }) => {
        const name = `${packaged?.product} ${packaged?.version}`;
        const choices = [
          { value: true, label: texts().packagedYes(name) },
          { value: false, label: texts().packagedNo },
        ];
        const answer = await prompts.select(texts().packaged, choices, before);
        if (answer === false) await refuseExisting();
        return answer;
      },
      () => packaged !== undefined,
    ),
    selectQuestion(
      'memory',
      () => memoryLabels(modelSizes),
      isOwn,
      () => '8',
    ),
    question(
      'architectures',
      async (prompts, _answers, { architectures: [first = 'amd64', second] = [] }) => {
        const { amd64, arm64, both } = texts();
        const choices = Object.entries({ amd64, arm64, both });
        const answer = await prompts.select(
          texts().architecture,
          choices.map(([value, label]) => ({ value: value as typeof first | 'both', label })),
          second ? 'both' : first,
        );
        if (answer === back) return back;
        return answer === 'both' ? ['amd64', 'arm64'] : [answer];
      },
      isOwn,
    ),
    selectQuestion(
      'releaseWay',
      () => ({ url: texts().releaseByUrl, push: texts().releaseByPush }),
      isOwn,
    ),
    textQuestion(
      'releaseUrl',
      () => ({
        placeholder: 'https://downloads.example.com/landfall/',
        required: true,
        correct: correctUrl,
      }),
      (answers) => isOwn(answers) && answers.releaseWay === 'url',
    ),
  ];
}

function memoryLabels(modelSizes: ReleaseFacts['modelSizes']): Record<ServerMemory, string> {
  const labels = Object.entries(serverSizes).map(([name, { memory, cpus, chat }]) => {
    const key = name as keyof typeof serverSizes;
    const size = formatBytes(downloadSize(key, modelSizes));
    const { hostedOnly, downloadOf, searchesAny, searchesEnglish } = texts();
    const documents = searchesAnyLanguage(key) ? searchesAny : searchesEnglish;
    const models = chat === undefined ? hostedOnly : downloadOf(chat, size, documents);
    return [name, texts().memoryOf(memory, cpus, models)];
  });
  const all = Object.values(modelSizes).reduce((sum, size) => sum + size, 0);
  return { ...Object.fromEntries(labels), any: texts().memoryAny(formatBytes(all)) };
}
