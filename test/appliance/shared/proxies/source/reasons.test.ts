import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { chineseReason } from '#proxies/source/reasons.ts';
import { readCases } from '../corpus/cases.ts';
import { importCase } from '../corpus/outcome.ts';

/** Reasons and hints of every case of the corpus. */
const reasons = new Set(
  readCases().flatMap((each) => {
    const found = importCase({ ...each, skip: true });
    if (found instanceof LandfallError)
      return found.code === 'CONFIG_INVALID' ? textsOf(found) : [];
    const { leftOut, ignored } = found.report;
    return [...Object.values(leftOut), ignored].flatMap(({ details }) =>
      textsOf({ problems: details }),
    );
  }),
);

function textsOf({ problems }: Pick<LandfallError, 'problems'>): string[] {
  return problems.flatMap(({ message, hint = '' }) => [message, hint]).filter(Boolean);
}

describe('a reason in Chinese', () => {
  it('exists for every reason and hint of the corpus', () => {
    expect(reasons.size).toBeGreaterThan(100);
    const english = [...reasons].filter((text) => !/\p{Script=Han}/u.test(chineseReason(text)));
    expect(english).toEqual([]);
  });

  it.each([
    ['unknown key "fp"', '不认识的键 "fp"'],
    ['network: unknown value "xhttp"', 'network：不认识的值 "xhttp"'],
    ['tls.reality.public-key: is missing', 'tls.reality.public-key：缺少'],
    ['more than 5000 proxies', '超过 5000 条 proxies'],
    ['Allowed: none; http for tcp.', '可用：none; http for tcp'],
    ['a text of another program', 'a text of another program'],
  ])('keeps keys and values: %s', (english, chinese) => {
    expect(chineseReason(english)).toBe(chinese);
  });
});
