import {
  type MirrorPresetName,
  mirrorPresetNames,
  mirrorPresets,
} from '#contract/mirror-presets.ts';
import { currentLanguage } from '#contract/text/language.ts';
import { cityOf, systemTimeZone } from '#contract/text/time-zone.ts';
import { type Answers, hasPassword } from '../answers.ts';
import { correctProxy, correctUrl } from '../check-answers.ts';
import { back, type Question, selectQuestion, textQuestion } from '../prompts.ts';
import { texts } from '../texts.ts';

/** Whether the release of these answers has a proxy client, or will have one. */
export type HasClient = (answers: Answers) => boolean;

/** Returns the mirrors of a preset that do not answer from this computer. */
export type CheckMirrors = (preset: MirrorPresetName) => Promise<readonly string[]>;

/** Returns the questions for the way to the internet, and for mirrors. */
export function networkQuestions(hasClient: HasClient, checkMirrors: CheckMirrors): Question[] {
  return [
    selectQuestion('routeWay', (answers) => ({
      direct: texts().routeDirect,
      proxy: texts().routeProxy,
      ...(hasClient(answers) && { client: texts().routeClient }),
    })),
    textQuestion(
      'proxyUrl',
      () => ({ placeholder: 'http://10.0.0.2:7890', required: true, correct: correctProxy }),
      ({ routeWay }) => routeWay === 'proxy',
    ),
    selectQuestion(
      'proxyLogin',
      (answers) => ({
        ...(hasClient(answers) && { client: texts().loginByClient, later: texts().loginLater }),
        site: texts().loginInSite,
      }),
      ({ routeWay, proxyUrl }) => routeWay === 'proxy' && hasPassword(proxyUrl),
    ),
    mirrorsQuestion(checkMirrors),
    ...(['aptMirror', 'imageMirror', 'modelMirror'] as const).map((name) =>
      textQuestion(
        name,
        () => ({ correct: correctUrl }),
        ({ mirrorsWay }) => mirrorsWay === 'own',
      ),
    ),
    // Proposes the time zone of this computer, which is most often that of the user.
    textQuestion('timezone', () => ({
      initialValue: cityOf(systemTimeZone() || 'UTC'),
      required: true,
    })),
  ];
}

function mirrorsQuestion(checkMirrors: CheckMirrors): Question {
  const selection = selectQuestion('mirrorsWay', () => ({
    none: texts().mirrorsNone,
    ...Object.fromEntries(
      mirrorPresetNames.map((name) => [
        name,
        texts().mirrorsOf(mirrorPresets[name].title[currentLanguage()]),
      ]),
    ),
    own: texts().mirrorsOwn,
  }));
  return {
    ...selection,
    ask: async (prompts, answers, earlier) => {
      const reply = await selection.ask(prompts, answers, earlier);
      const preset = mirrorPresetNames.find((name) => reply !== back && name === reply.mirrorsWay);
      if (preset === undefined) return reply;
      prompts.note(texts().testingMirrors);
      const dead = await checkMirrors(preset);
      if (dead.length > 0) prompts.warn(texts().mirrorsDead(dead.join(', ')));
      else prompts.note(texts().mirrorsWork);
      if (answers.uiHost) prompts.warn(texts().filing);
      return reply;
    },
  };
}
