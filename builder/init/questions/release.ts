import { formatBytes } from '#contract/text/format-bytes.ts';
import type { PackagedRelease } from '../../packaged/packaged-release.ts';
import type { Answers } from '../answers.ts';
import { correctUrl, flawOf } from '../check-answers.ts';
import { back, type Question, question } from '../prompts.ts';
import { downloadSize, serverSizes } from '../server-sizes.ts';
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
  return [
    packagedQuestion(facts),
    memoryQuestion(facts),
    architectureQuestion,
    wayQuestion,
    urlQuestion,
  ];
}

function packagedQuestion({ packaged, refuseExisting }: ReleaseFacts): Question {
  return question(
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
  );
}

function memoryQuestion({ modelSizes }: ReleaseFacts): Question {
  const sizes = Object.entries(serverSizes) as [
    keyof typeof serverSizes,
    (typeof serverSizes)['2' | '8'],
  ][];
  const choices = sizes.map(([value, { memory, cpus, chat }]) => {
    const models =
      chat === undefined
        ? texts().hostedOnly
        : texts().downloadOf(chat, formatBytes(downloadSize(value, modelSizes)));
    return { value, label: texts().memoryOf(memory, cpus, models) };
  });
  const all = Object.values(modelSizes).reduce((sum, size) => sum + size, 0);
  const any = { value: 'any' as const, label: texts().memoryAny(formatBytes(all)) };
  return question(
    'memory',
    (prompts, _answers, { memory = '8' }) =>
      prompts.select(texts().memory, [...choices, any], memory),
    isOwn,
  );
}

const architectureQuestion = question(
  'architectures',
  async (prompts, _answers, { architectures: [first = 'amd64', second] = [] }) => {
    const choices = [
      { value: 'amd64', label: texts().amd64 },
      { value: 'arm64', label: texts().arm64 },
      { value: 'both', label: texts().both },
    ] as const;
    const answer = await prompts.select(texts().architecture, choices, second ? 'both' : first);
    if (answer === back) return back;
    return answer === 'both' ? ['amd64', 'arm64'] : [answer];
  },
  isOwn,
);

const wayQuestion = question(
  'releaseWay',
  (prompts, _answers, { releaseWay = 'url' }) => {
    const choices = [
      { value: 'url', label: texts().releaseByUrl },
      { value: 'push', label: texts().releaseByPush },
    ] as const;
    return prompts.select(texts().releaseWay, choices, releaseWay);
  },
  isOwn,
);

const urlQuestion = question(
  'releaseUrl',
  (prompts, _answers, { releaseUrl: initialValue }) =>
    prompts.text({
      message: texts().releaseUrl,
      placeholder: 'https://downloads.example.com/landfall/',
      initialValue,
      required: true,
      correct: correctUrl,
      flaw: (value) => flawOf('releaseUrl', value),
    }),
  (answers) => isOwn(answers) && answers.releaseWay === 'url',
);
