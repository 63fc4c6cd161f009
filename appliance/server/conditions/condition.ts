import { inLanguage, type Language, type Text } from '#contract/text/language.ts';
import type { TextStyle } from '#contract/text/paint.ts';
import { formatTime } from '#contract/text/time-zone.ts';

/** What a condition is about: doctor and report have a code or kind for some. */
type Topic =
  | 'access'
  | 'alert'
  | `backup ${'check' | 'growth' | 'key' | 'late' | 'run' | 'setup' | 'space' | 'test'}`
  | 'certificate'
  | 'component'
  | 'component stopped'
  | 'disk'
  | 'docker'
  | 'engine'
  | 'relay'
  | 'relay usage'
  | 'restore'
  | 'route'
  | 'site'
  | 'stack'
  | 'update'
  | 'update stuck';

/** What an administrator must know. The overview, status, report, alerts and doctor show the same one. */
export interface Condition {
  readonly topic: Topic;
  /** A file system, a target, a server: what the topic has several of. */
  readonly subject?: string;
  /** `broken`: users cannot work. `attention`: alerts are sent. `note`: shown to who looks, without an alert. */
  readonly severity: 'broken' | 'attention' | 'note';
  /** A sentence without a full stop. */
  readonly what: Text;
  /** What has failed: alerts say when it works again. Without it, an alert is the sentence. */
  readonly thing?: Text;
  /** Why it has failed. */
  readonly detail?: Text;
  /** The sentence of an alert at the end; without it and a thing, the end is silent. */
  readonly over?: Text;
  /** The command that shows more, or fixes it. */
  readonly command: string;
}

/** IDs of conditions that were announced, whose limits are wider, so that alerts do not repeat. */
export type Known = ReadonlySet<string>;
export const noneKnown: Known = new Set();

/** Returns the ID of a condition, which is stored. */
export function idOf({ topic, subject }: Pick<Condition, 'topic' | 'subject'>): string {
  return subject === undefined ? topic : `${topic} ${subject}`;
}

/**
 * Returns the condition of a thing that has failed.
 * @param since the first failure
 */
export function failed(
  thing: Text,
  detail: Text | undefined,
  rest: Omit<Condition, 'what' | 'thing' | 'detail'>,
  since?: Date,
): Condition {
  const why = detail ?? { en: '', zh: '' };
  const time = since && formatTime(since);
  const space = /[!-~]$/.test(thing.zh) ? ' ' : '';
  const what = {
    en: `${thing.en} failed${time ? ` since ${time}` : ''}${why.en && `: ${why.en}`}`,
    zh: `${thing.zh}${time ? ` 自 ${time} 起失败` : `${space}失败`}${why.zh && `：${why.zh}`}`,
  };
  return { ...rest, what, thing, ...(detail && { detail }) };
}

const labels: Readonly<Partial<Record<Topic, Text>>> = {
  access: { en: 'access: ', zh: '访问：' },
  alert: { en: 'alerts: ', zh: '告警：' },
  route: { en: 'route: ', zh: '线路：' },
  restore: { en: 'restore: ', zh: '恢复：' },
  site: { en: 'site: ', zh: '站点：' },
  update: { en: 'update: ', zh: '更新：' },
  'update stuck': { en: 'update: ', zh: '更新：' },
};

/** Returns the sentence and the command: `low disk space: …; sudo landfall doctor`. */
export function adviceOf({ what, command }: Condition, language?: Language): string {
  return inLanguage({ en: `${what.en}; ${command}`, zh: `${what.zh}；${command}` }, language);
}

/** Returns the colour of a line. */
export function colourOf({ severity }: Condition): TextStyle {
  return severity === 'broken' ? 'red' : 'yellow';
}

/** Returns the line of the status and of the warnings in the report. */
export function lineOf(condition: Condition, language?: Language): string {
  return labelled(condition.topic, adviceOf(condition, language), language);
}

/** Returns a line of the status about a topic. */
export function labelled(topic: Topic, text: string, language?: Language): string {
  const label = labels[topic];
  return label ? `${inLanguage(label, language)}${text}` : text;
}
