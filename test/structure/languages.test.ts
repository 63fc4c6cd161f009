import { afterEach, describe, expect, it } from 'vitest';
import { isChinese, setLanguage } from '#contract/text/language.ts';
import { ruleText } from '#explain/chinese-rules.ts';
import { sourcesBelow, textOf } from './sources.ts';

/** Calls of the server's commands that print for users. */
const prints = /\b(?:console\.log|printText|stdout\.write|stderr\.write|report\.warn)\(\s*(['`])/g;

/** What is the same in both languages: a line of authorized_keys, and one of the journal. */
const alike = new Set(['  restrict ', ': , first failure ']);

/** Returns the literal that begins at a quote, without what it inserts. */
function literalAt(text: string, start: number): string {
  const quote = text.charAt(start);
  let depth = 0;
  let literal = '';
  for (let at = start + 1; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '\\') at += 1;
    else if (depth === 0 && char === quote) return literal;
    else if (quote === '`' && text.startsWith('${', at)) depth += 1;
    else if (depth > 0 && char === '{' && text.charAt(at - 1) !== '$') depth += 1;
    else if (depth > 0 && char === '}') depth -= 1;
    else if (depth === 0) literal += char;
  }
  throw new Error(`a literal without an end: ${text.slice(start, start + 40)}`);
}

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

/** Lists the literals after a pattern that ends at their quote, as `file:line literal`. */
function literalsAfter(files: readonly string[], pattern: RegExp): string[] {
  return files.flatMap((file) => {
    const text = textOf(file);
    return [...text.matchAll(pattern)].map((match) => {
      const start = match.index + match[0].length - 1;
      return `${file}:${lineOf(text, match.index)} ${literalAt(text, start)}`;
    });
  });
}

const english = /[A-Za-z]{2}/;

describe('the texts of the server', () => {
  const commands = sourcesBelow('appliance/commands');

  it('prints every literal of the commands of the server in both languages', () => {
    const found = literalsAfter(commands, prints).filter((line) => {
      const literal = line.slice(line.indexOf(' ') + 1);
      return english.test(literal) && !alike.has(literal);
    });
    expect(found, 'print inLanguage({ en, zh })').toEqual([]);
  });

  it('writes the hints of errors of these commands in both languages', () => {
    const found = literalsAfter(commands, /\bhint:\s+(['`])/g);
    expect(found, 'write hint: { en, zh }').toEqual([]);
  });
});

describe('the rules of the schema of a site', () => {
  afterEach(() => setLanguage('en'));

  it('translates every rule of the schema of a site', () => {
    setLanguage('zh');
    const zones = 'appliance/shared/contract/text/time-zone.ts';
    const files = [zones, ...sourcesBelow('appliance/shared/contract/site')];
    const rules = files.flatMap((file) => ruleTextsIn(textOf(file)));
    expect(rules.length).toBeGreaterThan(80);
    const missing = rules.filter((rule) => !isChinese(ruleText(rule)));
    expect(missing, 'add them to appliance/shared/explain/chinese-rules.ts').toEqual([]);
  });
});

/** Returns what a schema says of a value: literals that begin like `must be …`, with an example for each value. */
function ruleTextsIn(text: string): string[] {
  const rules = text.matchAll(
    /(?:[(,:=]|=>)\s*(['"`])((?:must|is|has|needs|contains|lists) (?:(?!\1)[^\\\n]|\\.)+)\1/g,
  );
  return [...rules]
    .filter(({ index }) => !/\b(?:en|message): ?$/.test(text.slice(0, index + 2)))
    .map(([, , rule = '']) => rule.replaceAll(/\$\{(?:[^{}]|\{[^}]*\})*\}/g, '3'));
}
