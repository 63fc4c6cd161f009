import {
  type MirrorPresetName,
  mirrorPresetNames,
  mirrorPresets,
} from '#contract/mirror-presets.ts';
import { currentLanguage } from '#contract/text/language.ts';
import { type Answers, hasPassword } from '../answers.ts';
import { correctProxy, correctUrl, flawOf } from '../check-answers.ts';
import { type Question, question } from '../prompts.ts';
import { texts } from '../texts.ts';

/** Whether the release of these answers has a proxy client, or will have one. */
export type HasClient = (answers: Answers) => boolean;

/** Returns the mirrors of a preset that do not answer from this computer. */
export type CheckMirrors = (preset: MirrorPresetName) => Promise<readonly string[]>;

/** Returns the questions for the way to the internet, and for mirrors. */
export function networkQuestions(hasClient: HasClient, checkMirrors: CheckMirrors): Question[] {
  return [
    question('routeWay', (prompts, answers, { routeWay = 'direct' }) => {
      const choices = [
        { value: 'direct', label: texts().routeDirect },
        { value: 'proxy', label: texts().routeProxy },
        ...(hasClient(answers) ? [{ value: 'client', label: texts().routeClient } as const] : []),
      ] as const;
      return prompts.select(texts().routeWay, choices, routeWay);
    }),
    proxyQuestion,
    loginQuestion(hasClient),
    mirrorsQuestion(checkMirrors),
    mirrorQuestion('aptMirror'),
    mirrorQuestion('imageMirror'),
    mirrorQuestion('modelMirror'),
    timezoneQuestion,
  ];
}

const proxyQuestion = question(
  'proxyUrl',
  (prompts, _answers, { proxyUrl: initialValue }) =>
    prompts.text({
      message: texts().proxyUrl,
      placeholder: 'http://10.0.0.2:7890',
      initialValue,
      required: true,
      correct: correctProxy,
      flaw: (value) => flawOf('proxyUrl', value),
    }),
  ({ routeWay }) => routeWay === 'proxy',
);

function loginQuestion(hasClient: HasClient): Question {
  return question(
    'proxyLogin',
    (prompts, answers, { proxyLogin }) => {
      const imports = [
        { value: 'client', label: texts().loginByClient },
        { value: 'later', label: texts().loginLater },
      ] as const;
      const choices = [
        ...(hasClient(answers) ? imports : []),
        { value: 'site', label: texts().loginInSite },
      ] as const;
      return prompts.select(texts().proxyLogin, choices, proxyLogin ?? choices[0].value);
    },
    ({ routeWay, proxyUrl }) => routeWay === 'proxy' && hasPassword(proxyUrl),
  );
}

function mirrorsQuestion(checkMirrors: CheckMirrors): Question {
  return question('mirrorsWay', async (prompts, { uiHost }, { mirrorsWay = 'none' }) => {
    const choices = [
      { value: 'none', label: texts().mirrorsNone },
      ...mirrorPresetNames.map((value) => ({
        value,
        label: texts().mirrorsOf(mirrorPresets[value].title[currentLanguage()]),
      })),
      { value: 'own', label: texts().mirrorsOwn },
    ] as const;
    const answer = await prompts.select(texts().mirrorsWay, choices, mirrorsWay);
    if (typeof answer === 'symbol' || answer === 'none' || answer === 'own') return answer;
    prompts.note(texts().testingMirrors);
    const dead = await checkMirrors(answer);
    if (dead.length > 0) prompts.warn(texts().mirrorsDead(dead.join(', ')));
    else prompts.note(texts().mirrorsWork);
    if (uiHost) prompts.warn(texts().filing);
    return answer;
  });
}

/** Proposes the time zone of this computer, which is most often that of the user. */
const timezoneQuestion = question('timezone', (prompts, _answers, { timezone }) =>
  prompts.text({
    message: texts().timezone,
    initialValue: timezone ?? (new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'),
    required: true,
    flaw: (value) => flawOf('timezone', value),
  }),
);

function mirrorQuestion(name: 'aptMirror' | 'imageMirror' | 'modelMirror'): Question {
  return question(
    name,
    (prompts, _answers, { [name]: initialValue }) =>
      prompts.text({
        message: texts()[name],
        initialValue,
        correct: correctUrl,
        flaw: (value) => flawOf(name, value),
      }),
    ({ mirrorsWay }) => mirrorsWay === 'own',
  );
}
