import { formatBytes } from '#contract/text/format-bytes.ts';
import type { PackagedRelease } from '../../packaged/packaged-release.ts';
import { correctUrl } from '../corrections.ts';
import { flawOf } from '../flaw-of.ts';
import type { Given } from '../given.ts';
import { back } from '../prompts.ts';
import { downloadSize, serverSizes } from '../server-sizes.ts';
import { texts } from '../texts.ts';
import type { Question } from '../wizard.ts';

/** What the questions about the release depend on. */
export interface ReleaseFacts {
  readonly packaged: PackagedRelease | undefined;
  /** Bytes by model of the reference appliance. */
  readonly modelSizes: Readonly<Record<string, number>>;
  /** Called when the user builds a release. @throws LandfallError FILE_EXISTS */
  readonly refuseExisting: () => Promise<void>;
}

const isOwn = ({ packaged }: Given) => packaged !== true;

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
  return {
    name: 'packaged',
    applies: () => packaged !== undefined,
    ask: async (prompts, _given, earlier) => {
      const name = `${packaged?.product} ${packaged?.version}`;
      const answer = await prompts.select(
        texts().packaged,
        [
          { value: true, label: texts().packagedYes(name) },
          { value: false, label: texts().packagedNo },
        ],
        earlier.packaged ?? true,
      );
      if (answer === false) await refuseExisting();
      return answer === back ? back : { packaged: answer };
    },
  };
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
  return {
    name: 'memory',
    applies: isOwn,
    ask: async (prompts, _given, earlier) => {
      const answer = await prompts.select(texts().memory, [...choices, any], earlier.memory ?? '8');
      return answer === back ? back : { memory: answer };
    },
  };
}

const architectureQuestion: Question = {
  name: 'architectures',
  applies: isOwn,
  ask: async (prompts, _given, earlier) => {
    const [before = 'amd64', second] = earlier.architectures ?? [];
    const choices = [
      { value: 'amd64', label: texts().amd64 },
      { value: 'arm64', label: texts().arm64 },
      { value: 'both', label: texts().both },
    ] as const;
    const answer = await prompts.select(texts().architecture, choices, second ? 'both' : before);
    if (answer === back) return back;
    return { architectures: answer === 'both' ? ['amd64', 'arm64'] : [answer] };
  },
};

const wayQuestion: Question = {
  name: 'releaseWay',
  applies: isOwn,
  ask: async (prompts, _given, earlier) => {
    const choices = [
      { value: 'url', label: texts().releaseByUrl },
      { value: 'push', label: texts().releaseByPush },
    ] as const;
    const answer = await prompts.select(texts().releaseWay, choices, earlier.releaseWay ?? 'url');
    return answer === back ? back : { releaseWay: answer };
  },
};

const urlQuestion: Question = {
  name: 'releaseUrl',
  applies: (given) => isOwn(given) && given.releaseWay === 'url',
  ask: async (prompts, _given, earlier) => {
    const answer = await prompts.text({
      message: texts().releaseUrl,
      placeholder: 'https://downloads.example.com/landfall/',
      initialValue: earlier.releaseUrl,
      required: true,
      correct: correctUrl,
      flaw: (value) => flawOf('releaseUrl', value),
    });
    return answer === back ? back : { releaseUrl: answer };
  },
};
