import { afterEach, describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { setLanguage } from '#contract/text/language.ts';
import { type About, inWords, reasonIn, textOf } from '#proxies/source/reasons.ts';
import { readCases } from '../corpus/cases.ts';
import { importCase } from '../corpus/outcome.ts';

afterEach(() => setLanguage('en'));

/** Reasons and hints of every case of the corpus, in Chinese. */
function chineseOfCorpus(): Set<string> {
  setLanguage('zh');
  return new Set(
    readCases().flatMap((each) => {
      const found = importCase({ ...each, skip: true });
      if (found instanceof LandfallError)
        return found.code === 'CONFIG_INVALID' ? textsOf(found) : [];
      const { leftOut, ignored } = found.report;
      const details = [...Object.values(leftOut), ignored].flatMap((tally) => tally.details);
      return textsOf({ problems: inWords(details) });
    }),
  );
}

function textsOf({ problems }: Pick<LandfallError, 'problems'>): string[] {
  return problems.flatMap(({ message, hint = '' }) => [message, hint]).filter(Boolean);
}

describe('a reason in Chinese', () => {
  it('exists for every reason and hint of the corpus', () => {
    const texts = chineseOfCorpus();
    expect(texts.size).toBeGreaterThan(100);
    expect([...texts].filter((text) => !/\p{Script=Han}/u.test(text))).toEqual([]);
  });

  it.each([
    ['unknown-key  "fp"', 'unknown key "fp"', '不认识的键 "fp"'],
    [
      { at: 'network', reason: 'unknown-value  "xhttp"' },
      'network: unknown value "xhttp"',
      'network：不认识的值 "xhttp"',
    ],
    [
      { at: 'rule DOMAIN', part: 'value', reason: 'no-domain' },
      'rule DOMAIN: value must be a domain',
      'rule DOMAIN：value 必须是域名',
    ],
    ['more-than 5000 proxies', 'more than 5000 proxies', '超过 5000 条 proxies'],
    ['whole-number 1 65535', 'must be a whole number from 1 to 65535', '必须是 1 到 65535 的整数'],
    ['allowed none; http for tcp', 'Allowed: none; http for tcp.', '可用：none; http for tcp'],
  ] satisfies [About, string, string][])('keeps keys and values: %j', (about, en, zh) => {
    expect(textOf(about)).toEqual({ en, zh });
  });

  it('shows a value with a dollar sign as it is', () => {
    expect(textOf('name-repeated $1 & $2').en).toBe('duplicate name $1 & $2');
  });

  it('stays in English for the message of another schema', () => {
    expect(reasonIn('must be an http URL')).toBe('other must be an http URL');
    expect(textOf('other must be an http URL')).toEqual({ en: 'must be an http URL', zh: '无效' });
  });
});
