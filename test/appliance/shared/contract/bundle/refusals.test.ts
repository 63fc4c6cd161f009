import { describe, expect, it } from 'vitest';
import { type Rule, refusal, rules } from '#contract/bundle/refusals.ts';
import { allErrorCodes } from '#contract/error-codes.ts';
import { LandfallError } from '#contract/errors.ts';
import { ruleOf } from '../../../../simulator/verdict.ts';

const ruleNames = Object.keys(rules) as Rule[];

describe('the rules of the verifier', () => {
  it('use every BUNDLE_ code, except the one of a reproduction', () => {
    const used = new Set(Object.values(rules));
    const known = allErrorCodes().map(({ code }) => code);
    const ofVerifier = known.filter((code) => /^BUNDLE_(?!DIFFERS)/.test(code));
    expect(used).toEqual(new Set(ofVerifier));
  });

  it.each(ruleNames)('%s is reported with its code, its name and a hint', (rule) => {
    const error = refusal(rule, 'something was found');
    expect(error).toMatchObject({ code: rules[rule], rule, message: 'something was found' });
    expect(error.hint).toMatch(/^[A-Z].*[.`]$/);
  });
});

describe('a rejection of the verifier', () => {
  it('recognizes a rejection of the verifier as a LandfallError with a rule', () => {
    expect(ruleOf(refusal('content', 'x'))).toBe('content');
    expect(ruleOf(new LandfallError('BUNDLE_CONTENT', 'x'))).toBeUndefined();
    expect(ruleOf(Object.assign(new Error('x'), { rule: 'content' }))).toBeUndefined();
    expect(ruleOf(undefined)).toBeUndefined();
  });

  it('contains problems and cause', () => {
    const cause = new Error('x');
    const problems = [{ message: 'files: no' }];
    expect(refusal('canonical-manifest', 'x', { problems, cause })).toMatchObject({
      problems,
      cause,
    });
  });
});
