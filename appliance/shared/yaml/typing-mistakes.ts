import { inLanguage } from '#contract/text/language.ts';
import type { SyntaxFinding } from './wording.ts';

/*
 * Mistakes of typing that make valid-looking YAML: characters of an input method or a word processor,
 * tabs, and a colon without its space. The parser reports them far from the cause.
 */

/** A mistake in one line, and the line without it. */
interface Mistake {
  readonly column: number;
  readonly message: string;
  readonly corrected: string;
}

/** U+00A0, U+3000 and the other spaces that YAML does not treat as white space (YAML 1.2, 5.5). */
const oddSpace = /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/;
const fullWidthColon = /^([ \t]*(?:- +)?[A-Za-z_][\w.-]*)[ ]*\uff1a[ ]*(.*)$/;
const closeColon = /^([ ]*[A-Za-z_][\w-]*):(?![/\s])([^\s].*)$/;
const curlyQuotes =
  /^([ ]*(?:- +)?(?:[\w.-]+: +)?)[\u201c\u201d\u2018\u2019\u300c\u300e]([^\u201c\u201d\u2018\u2019\u300c\u300d\u300e\u300f]*)[\u201c\u201d\u2018\u2019\u300d\u300f]\s*$/;

/**
 * Returns the typing mistakes in a text that is not valid YAML, one per line at most. Comments and
 * the content of block scalars are left out.
 */
export function typingMistakes(text: string): SyntaxFinding[] {
  const findings: SyntaxFinding[] = [];
  let offset = 0;
  let block: number | undefined;
  for (const line of text.split('\n')) {
    const indent = line.search(/\S/);
    if (block !== undefined && indent !== -1 && indent <= block) block = undefined;
    if (block === undefined && indent !== -1 && !/^\s*#/.test(line)) {
      const mistake = mistakeIn(line);
      if (mistake) findings.push(findingOf(mistake, offset));
      if (/[|>][+-]?\d?\s*(?:#.*)?$/.test(line)) block = indent;
    }
    offset += line.length + 1;
  }
  return findings;
}

/**
 * Returns the typing mistake in a plain scalar that the parser accepts; undefined if there is none.
 * @param offset position of the scalar in the text
 */
export function mistakeInScalar(
  source: string,
  offset: number,
  text: string,
): SyntaxFinding | undefined {
  const isOdd = oddSpace.test(source.charAt(0)) || oddSpace.test(source.slice(-1));
  const isSuspect =
    isOdd ||
    /^[A-Za-z_][\w-]*:[\u00a0\u3000]/.test(source) ||
    /^[A-Za-z_][\w.-]*\uff1a/.test(source) ||
    curlyQuotes.test(source);
  if (!isSuspect) return undefined;
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const [line = ''] = text.slice(start).split('\n', 1);
  const mistake = mistakeIn(line);
  return mistake && findingOf(mistake, start);
}

const colonMessage = {
  en: 'the colon after the key is a full-width colon (：)',
  zh: '字段名之后是全角冒号（：）',
};
const tabMessage = { en: 'the indentation contains a tab', zh: '缩进中有制表符' };
const quotesMessage = {
  en: 'the quotes are curly quotes, which YAML does not know',
  zh: '引号是弯引号，YAML 不认识',
};

function spaceMessage(space: string): string {
  const name = space === '\u00a0' ? 'no-break space' : 'space that YAML does not know';
  const code = space.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return inLanguage({
    en: `the line contains a ${name} (U+${code})`,
    zh: `这一行有 YAML 不认识的空格（U+${code}）`,
  });
}

function mistakeIn(line: string): Mistake | undefined {
  const tab = /^ *\t/.exec(line);
  if (tab) {
    const corrected = line.replace(/^[ \t]+/, (indent) => indent.replaceAll('\t', '  '));
    return { column: tab[0].length - 1, message: inLanguage(tabMessage), corrected };
  }
  const colon = fullWidthColon.exec(line);
  if (colon) {
    const [, key = '', value = ''] = colon;
    return {
      column: line.indexOf('：'),
      message: inLanguage(colonMessage),
      corrected: `${key}: ${value}`,
    };
  }
  const space = /^[^"'#]*?([\u00a0\u2000-\u200a\u202f\u205f\u3000])/.exec(line);
  if (space) {
    const corrected = line.replaceAll(new RegExp(oddSpace, 'g'), ' ').trimEnd();
    return { column: space[0].length - 1, message: spaceMessage(space[1] ?? ''), corrected };
  }
  const quotes = curlyQuotes.exec(line);
  if (quotes) {
    const [, start = '', value = ''] = quotes;
    return {
      column: start.length,
      message: inLanguage(quotesMessage),
      corrected: `${start}"${value}"`,
    };
  }
  const close = closeColon.exec(line);
  if (!close) return undefined;
  const [, key = '', value = ''] = close;
  const message = inLanguage({ en: 'a space is missing after the colon', zh: '冒号后缺少空格' });
  return { column: key.length, message, corrected: `${key}: ${value}` };
}

const instead = { en: 'Write this line instead:', zh: '请改成这一行：' };
const again = {
  en: 'Type the line again with plain spaces, colons and quotes.',
  zh: '请用普通的空格、冒号和引号重新输入这一行。',
};

function findingOf({ column, message, corrected }: Mistake, offset: number): SyntaxFinding {
  const at = offset + column;
  return isShowable(corrected)
    ? { offset: at, message, hint: inLanguage(instead), corrected }
    : { offset: at, message, hint: inLanguage(again) };
}

/** A line that may contain a secret is not repeated. */
function isShowable(line: string): boolean {
  return line.length <= 120 && !/pass|secret|token|key|\/\/\S*@|\bsk-|BEGIN/i.test(line);
}
