import type { Problem } from '#contract/errors.ts';
import { inLanguage, type Text } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { reasonTexts } from './reason-texts.ts';

type Code = keyof typeof reasonTexts;

/**
 * Why an import leaves something out or changes it, or what to do about it: a code, or a code and the value that its text
 * contains, such as `whole-number 1 65535`.
 */
export type Reason = Code | `${Code} ${string}`;

/** A reason at a key of an entry, or at a part of a rule. */
interface Flaw {
  readonly at: string;
  readonly part?: string;
  readonly reason: Reason;
}

export type About = Reason | Flaw;

/** Returns a reason as the message of a schema. */
export const because = (reason: Reason): string => reason;

/** Returns the reason in a message of a schema. Messages of other schemas are in English only. */
export function reasonIn(message: string): Reason {
  return isReason(message) ? message : `other ${message}`;
}

function isReason(message: string): message is Reason {
  return Object.hasOwn(reasonTexts, codeOf(message));
}

function codeOf(reason: string): string {
  return reason.split(' ', 1)[0] ?? '';
}

/** Returns the text of a reason in one line. It keeps keys and values. */
export function textOf(about: About): Text {
  if (typeof about !== 'string') {
    const { at, part, reason } = about;
    const { en, zh } = textOf(reason);
    const of = part === undefined ? '' : `${part} `;
    return { en: plainLine(`${at}: ${of}${en}`, 400), zh: plainLine(`${at}：${of}${zh}`, 400) };
  }
  const code = codeOf(about);
  const value = about.slice(code.length + 1);
  const [en, zh] = reasonTexts[code as Code];
  return { en: plainLine(filled(en, value), 400), zh: plainLine(filled(zh, value), 400) };
}

function filled(text: string, value: string): string {
  if (!text.includes('$')) return text;
  const words = value.split(' ');
  return text.replace(/\$([12]?)/g, (_whole, index: string) =>
    index === '' ? value : (words[Number(index) - 1] ?? ''),
  );
}

/** A problem in English, as programs read it, with its texts. */
export interface Detail extends Problem {
  readonly texts: { readonly message: Text; readonly hint?: Text | undefined };
}

/** Returns details in the language of this process. */
export function inWords(details: readonly Detail[]): Problem[] {
  return details.map(({ texts: { message, hint }, ...problem }) => ({
    ...{ ...problem, message: inLanguage(message) },
    hint: hint && inLanguage(hint),
  }));
}
