import {
  type MirrorPresetName,
  mirrorPresetNames,
  mirrorPresets,
} from '#contract/mirror-presets.ts';
import { currentLanguage } from '#contract/text/language.ts';
import { correctProxy, correctUrl } from '../corrections.ts';
import { type AnswerName, flawOf } from '../flaw-of.ts';
import { type Given, hasPassword } from '../given.ts';
import { back } from '../prompts.ts';
import { texts } from '../texts.ts';
import type { Question } from '../wizard.ts';

/** Whether the release of these answers has a proxy client, or will have one. */
export type HasClient = (given: Given) => boolean;

/** Returns the mirrors of a preset that do not answer from this computer. */
export type CheckMirrors = (preset: MirrorPresetName) => Promise<readonly string[]>;

/** Returns the questions for the way to the internet, and for mirrors. */
export function networkQuestions(hasClient: HasClient, checkMirrors: CheckMirrors): Question[] {
  return [
    routeQuestion(hasClient),
    proxyQuestion,
    loginQuestion(hasClient),
    mirrorsQuestion(checkMirrors),
    mirrorQuestion('aptMirror', texts().aptMirror),
    mirrorQuestion('imageMirror', texts().imageMirror),
    mirrorQuestion('modelMirror', texts().modelMirror),
    timezoneQuestion,
  ];
}

function routeQuestion(hasClient: HasClient): Question {
  return {
    name: 'routeWay',
    ask: async (prompts, given, earlier) => {
      const choices = [
        { value: 'direct', label: texts().routeDirect },
        { value: 'proxy', label: texts().routeProxy },
        ...(hasClient(given) ? [{ value: 'client', label: texts().routeClient } as const] : []),
      ] as const;
      const before = earlier.routeWay ?? 'direct';
      const answer = await prompts.select(texts().routeWay, choices, before);
      return answer === back ? back : { routeWay: answer };
    },
  };
}

const proxyQuestion: Question = {
  name: 'proxyUrl',
  applies: ({ routeWay }) => routeWay === 'proxy',
  ask: async (prompts, _given, earlier) => {
    const answer = await prompts.text({
      message: texts().proxyUrl,
      placeholder: 'http://10.0.0.2:7890',
      initialValue: earlier.proxyUrl,
      required: true,
      correct: correctProxy,
      flaw: (value) => flawOf('proxyUrl', value),
    });
    return answer === back ? back : { proxyUrl: answer };
  },
};

function loginQuestion(hasClient: HasClient): Question {
  return {
    name: 'proxyLogin',
    applies: ({ routeWay, proxyUrl }) => routeWay === 'proxy' && hasPassword(proxyUrl),
    ask: async (prompts, given, earlier) => {
      const choices = [
        ...(hasClient(given)
          ? ([
              { value: 'client', label: texts().loginByClient },
              { value: 'later', label: texts().loginLater },
            ] as const)
          : []),
        { value: 'site', label: texts().loginInSite },
      ] as const;
      const before = earlier.proxyLogin ?? choices[0].value;
      const answer = await prompts.select(texts().proxyLogin, choices, before);
      return answer === back ? back : { proxyLogin: answer };
    },
  };
}

function mirrorsQuestion(checkMirrors: CheckMirrors): Question {
  return {
    name: 'mirrorsWay',
    ask: async (prompts, { uiHost }, earlier) => {
      const choices = [
        { value: 'none', label: texts().mirrorsNone },
        ...mirrorPresetNames.map((value) => ({
          value,
          label: texts().mirrorsOf(mirrorPresets[value].title[currentLanguage()]),
        })),
        { value: 'own', label: texts().mirrorsOwn },
      ] as const;
      const before = earlier.mirrorsWay ?? 'none';
      const answer = await prompts.select(texts().mirrorsWay, choices, before);
      if (answer === back) return back;
      if (answer === 'none' || answer === 'own') return { mirrorsWay: answer };
      prompts.note(texts().testingMirrors);
      const dead = await checkMirrors(answer);
      if (dead.length > 0) prompts.warn(texts().mirrorsDead(dead.join(', ')));
      else prompts.note(texts().mirrorsWork);
      if (uiHost) prompts.warn(texts().filing);
      return { mirrorsWay: answer };
    },
  };
}

/** Proposes the time zone of this computer, which is most often that of the user. */
const timezoneQuestion: Question = {
  name: 'timezone',
  ask: async (prompts, _given, earlier) => {
    const here = new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
    const answer = await prompts.text({
      message: texts().timezone,
      initialValue: earlier.timezone ?? here,
      required: true,
      flaw: (value) => flawOf('timezone', value),
    });
    return answer === back ? back : { timezone: answer };
  },
};

function mirrorQuestion(
  name: AnswerName & ('aptMirror' | 'imageMirror' | 'modelMirror'),
  message: string,
): Question {
  return {
    name,
    applies: ({ mirrorsWay }) => mirrorsWay === 'own',
    ask: async (prompts, _given, earlier) => {
      const answer = await prompts.text({
        message,
        initialValue: earlier[name],
        correct: correctUrl,
        flaw: (value) => flawOf(name, value),
      });
      return answer === back ? back : { [name]: answer };
    },
  };
}
