import { currentLanguage, type Text } from './language.ts';

/**
 * Chinese by English. In English, `{}` is a value that the code inserts; in Chinese, `{1}` is the first
 * one. A value with a row of its own is translated as well.
 */
export type ChineseRows = Readonly<Record<string, string>>;

interface Pattern {
  readonly english: RegExp;
  readonly chinese: string;
}

let exact: ReadonlyMap<string, string> = new Map();
let patterns: readonly Pattern[] = [];

/** Sets the rows of this process. Only the entry points call it: most runs need none. */
export function setChineseRows(rows: ChineseRows): void {
  const entries = Object.entries(rows);
  exact = new Map(entries.filter(([english]) => !english.includes('{}')));
  patterns = entries
    .filter(([english]) => english.includes('{}'))
    // Before `{} of {}`, which matches almost everything, those with more words.
    .sort(([one], [other]) => other.replaceAll('{}', '').length - one.replaceAll('{}', '').length)
    .map(([english, chinese]) => ({ english: patternOf(english), chinese }));
}

function patternOf(english: string): RegExp {
  const parts = english.split('{}').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const [first = '', ...rest] = parts;
  let pattern = first;
  // Only what follows a colon has a cause of its own: `{}: {}; retrying in {}`.
  let isCause = first.includes(': ');
  for (const part of rest) {
    pattern += `${isCause ? '(.*?)' : '((?:(?!: ).)*?)'}${part}`;
    isCause ||= part.includes(': ');
  }
  return new RegExp(`^${pattern}$`);
}

/**
 * Returns a text in the language of this process, as gettext(3) does: English that has no row stays. For
 * texts that `--json` and tests need in English; a text that only people read has both languages in place.
 */
export function translated(english: string): string {
  if (currentLanguage() === 'en') return english;
  const chinese = exact.get(english);
  if (chinese !== undefined) return chinese;
  for (const { english: pattern, chinese: text } of patterns) {
    const values = pattern.exec(english);
    if (values !== null) {
      return text.replace(/\{(\d)\}/g, (_, index: string) =>
        translated(values[Number(index)] ?? ''),
      );
    }
  }
  return withCause(english);
}

/** Returns a text in each language, as {@link translated}. */
export function bilingual(english: string): Text {
  return { en: english, zh: translated(english) };
}

/** Translates what follows a subject, as in `node: connection refused`. */
function withCause(english: string): string {
  const at = english.indexOf(': ');
  if (at < 0) return english;
  const cause = english.slice(at + 2);
  const chinese = translated(cause);
  return chinese === cause ? english : `${translated(english.slice(0, at))}：${chinese}`;
}
