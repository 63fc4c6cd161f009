import { readFile } from 'node:fs/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { type Rule, rules } from '#contract/bundle/refusals.ts';
import { honestBundles, maxRelease } from '../../../../simulator/honest-bundles.ts';
import { hostileBundles } from '../../../../simulator/hostile-bundles.ts';
import { judge } from '../../../../simulator/verdict.ts';

const ruleNames = Object.keys(rules) as Rule[];
const breakersOf = (rule: Rule) => hostileBundles.filter((hostile) => hostile.rule === rule);

/** Printable ASCII and the ellipsis: what no terminal obeys. */
const harmless = /^[ -~…]*$/;

describe('a verifier', () => {
  let refused = 0;
  afterAll(() => console.log(`${refused} of ${hostileBundles.length} hostile bundles refused`));

  describe.each(ruleNames)('enforces the rule %s', (rule) => {
    const code = rules[rule];

    it.each(breakersOf(rule))(
      `rejects a bundle that breaks the rule ${rule}: $name`,
      async (hostile) => {
        const verdict = await judge(hostile.bundle(), hostile.policy);
        expect(verdict).toMatchObject({ accepted: false, code: hostile.code, rule });
        refused += 1;
      },
    );

    it('covers the rule with at least one malicious bundle', () => {
      expect(breakersOf(rule).length).toBeGreaterThan(0);
    });

    it('returns one error code for the rule', () => {
      expect(new Set(breakersOf(rule).map((hostile) => hostile.code))).toEqual(new Set([code]));
    });
  });

  it('gives the malicious bundles unique names', () => {
    const names = hostileBundles.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('rejects as many malicious bundles as the README and the page of verification state', async () => {
    const read = async (page: string) =>
      await readFile(new URL(`../../../../../${page}`, import.meta.url), 'utf8');
    const count = `${hostileBundles.length} hostile bundles are`;
    expect(await read('README.md')).toContain(count);
    expect(await read('docs/release/verification.md')).toContain(count);
  });

  it('never shows escape sequences of a malicious bundle', async () => {
    for (const { name, bundle, policy } of hostileBundles) {
      const verdict = await judge(bundle(), policy);
      const text = verdict.accepted ? '' : verdict.text;
      expect({ name, harmless: harmless.test(text), short: text.length < 5000 }).toEqual({
        name,
        harmless: true,
        short: true,
      });
    }
  });
});

describe('a verifier accepts', () => {
  it.each(honestBundles)('$name', async ({ bundle, policy, signer = 'release' }) => {
    expect(await judge(bundle(), policy)).toEqual({ accepted: true, signer });
  });

  it('the maximum number of files, with paths of maximum length', async () => {
    expect(await judge(maxRelease())).toEqual({ accepted: true, signer: 'release' });
  }, 60_000);
});
