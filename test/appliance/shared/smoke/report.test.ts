import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { inBoth, setLanguage } from '#contract/text/language.ts';
import { relayTests } from '../../../../appliance/shared/smoke/cases/relay.ts';
import { expectStatus } from '../../../../appliance/shared/smoke/exchange.ts';
import { junitReport } from '../../../../appliance/shared/smoke/junit.ts';
import { runSmoke } from '../../../../appliance/shared/smoke/run-smoke.ts';
import {
  type SmokeResult,
  type SmokeTest,
  testsOf,
} from '../../../../appliance/shared/smoke/smoke-test.ts';
import { smokeTable } from '../../../../appliance/shared/smoke/table.ts';
import type { SmokeTarget } from '../../../../appliance/shared/smoke/target.ts';
import { outsideTarget } from './inside-target.ts';

const results: SmokeResult[] = [
  { name: 'a', title: 'the first holds', outcome: 'passed', took: 12 },
  {
    name: 'b',
    title: 'the second',
    outcome: 'failed',
    took: 3400,
    detail: '<500>',
    lookAt: 'the log',
  },
  { name: 'c', title: 'the third', outcome: 'skipped', took: 0, detail: 'no model is installed' },
];

const answer = { status: 500, header: () => undefined, text: '' };

describe('the table in Chinese', () => {
  afterEach(() => setLanguage('en'));

  it('translates outcomes, titles and the summary, but not the name of an unknown test', () => {
    setLanguage('zh');
    const lines = smokeTable([
      { name: 'ui-page', title: 'the chat UI serves its page', outcome: 'passed', took: 12 },
      ...results.slice(1),
    ]).split('\n');
    expect(lines[0]).toMatch(/^通过 +聊天界面能打开 /);
    expect(lines[1]).toMatch(/^失败 +the second/);
    expect(lines[2]).toBe('         原因  <500>');
    expect(lines.at(-1)).toBe('1 项通过，1 项失败，1 项跳过');
  });

  it('gives the reason of a skipped test, and the cause and the commands of a failed one', async () => {
    setLanguage('zh');
    const outside = outsideTarget({});
    const test = { name: 'x', title: 'x', run: () => Promise.resolve(expectStatus(answer, 200)) };
    const [relay] = relayTests.filter(({ name }) => name === 'relay-models');
    const tests = [...testsOf('ui', [{ ...test, isUnsafe: true, notFor: () => undefined }]), relay];
    const lines = smokeTable(
      await runSmoke(
        outside,
        undefined,
        tests.flatMap((each) => each ?? []),
      ),
    );
    expect(lines).toContain('原因  状态为 500，应为 200');
    expect(lines).toContain('；解决之前请运行：sudo docker stop landfall-ui');
    expect(lines).toMatch(/^跳过 {2}站点没有启用（1）$/m);
  });

  it('keeps English in JUnit', () => {
    setLanguage('zh');
    expect(junitReport(results)).toContain('a: the first holds');
  });
});

describe('the table', () => {
  const lines = smokeTable(results).split('\n');

  it('shows cause and hint under a failure', () => {
    expect(lines[2]).toBe('         cause  <500>');
    expect(lines[3]).toBe('         see    the log');
  });

  it('shows remarks beside a passed test', () => {
    const [line] = smokeTable([
      { name: 'a', title: 'it holds', outcome: 'passed', took: 12, detail: 'without x' },
    ]).split('\n');
    expect(line).toMatch(/^ok +it holds +0\.0 s {2}without x$/);
  });

  // From outside, half of the rows were tests that only the server can run.
  it('shows all skipped tests in one line, with their reasons', () => {
    const skipped = (name: string, detail: string): SmokeResult => {
      return { name, title: name, outcome: 'skipped', took: 0, detail };
    };
    const inside = 'runs on the server only';
    const more = [skipped('d', inside), skipped('e', 'no provider'), skipped('f', inside)];
    const text = smokeTable([...results, ...more]);
    expect(text.split('\n').slice(4)).toEqual([
      'skipped  runs on the server only (2); no model is installed (1); no provider (1)',
      '',
      '1 passed, 1 failed, 4 skipped',
    ]);
    expect(smokeTable(results.slice(0, 2))).not.toContain('skipped  ');
  });

  it('ends with the totals', () => {
    expect(lines.at(-1)).toBe('1 passed, 1 failed, 1 skipped');
  });

  it('aligns its columns', () => {
    expect(lines[0]?.indexOf('0.0 s')).toBe(lines[1]?.indexOf('3.4 s'));
  });
});

describe('the report for CI systems', () => {
  it('contains the totals', () => {
    expect(junitReport(results)).toContain('tests="3" failures="1" skipped="1"');
  });

  it('contains remarks of a passed test', () => {
    const noted = { name: 'a', title: 'b', outcome: 'passed', took: 1, detail: 'without <x>' };
    expect(junitReport([noted as SmokeResult])).toContain(
      '<system-out>without &lt;x&gt;</system-out></testcase>',
    );
  });

  it('escapes the cause', () => {
    expect(junitReport(results)).toContain('message="&lt;500&gt;"');
  });

  it('writes a well-formed report for CI systems for any response of a server', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (detail) => {
        const report = junitReport([{ name: 'a', title: 'b', outcome: 'failed', took: 1, detail }]);
        const inner = report.split('failure message="')[1]?.split('">')[0] ?? '';
        expect([...inner].filter((letter) => '<>"'.includes(letter) || letter < '\t')).toEqual([]);
        expect(inner.replaceAll(/&(?:amp|lt|gt|quot);/g, '')).not.toContain('&');
      }),
    );
  });
});

describe('a run', () => {
  const target = {} as SmokeTarget;
  const test = (name: string, part: Partial<SmokeTest>): SmokeTest => ({
    ...{ name, component: 'ui' },
    title: name,
    lookAt: inBoth('here'),
    run: async () => {},
    ...part,
  });

  it('continues after a failure and reports each result', async () => {
    const heard: string[] = [];
    const outcomes = await runSmoke(
      target,
      ({ name, outcome }) => heard.push(`${name} ${outcome}`),
      [
        test('one', { run: async () => Promise.reject(new Error('it is not so')) }),
        test('two', { notFor: () => 'not here' }),
        test('three', {}),
      ],
    );
    expect(heard).toEqual(['one failed', 'two skipped', 'three passed']);
    expect(outcomes[0]).toMatchObject({ detail: 'it is not so', lookAt: 'here' });
    expect(outcomes[1]).toMatchObject({ detail: 'not here' });
  });

  it('keeps the remarks of a passed test', async () => {
    const [result] = await runSmoke(target, undefined, [
      test('one', {
        run: async (_target, note) => {
          note('first');
          note('second');
        },
      }),
    ]);
    expect(result).toMatchObject({ outcome: 'passed', detail: 'first; second' });
  });

  it('includes the cause of a failed connection', async () => {
    const cause = new Error('connect ECONNREFUSED 127.0.0.1:443');
    const [result] = await runSmoke(target, undefined, [
      test('one', { run: async () => Promise.reject(new Error('fetch failed', { cause })) }),
    ]);
    expect(result?.detail).toBe('fetch failed: connect ECONNREFUSED 127.0.0.1:443');
  });

  it('shows external text as one truncated line of plain text', async () => {
    const model = `\u001b]0;owned\u0007\u001b[2J\n\u202ea\u0000${'b'.repeat(5000)}`;
    const [failed, skipped] = await runSmoke({} as SmokeTarget, undefined, [
      {
        name: 'a',
        component: 'ui',
        title: 'a',
        lookAt: inBoth(''),
        run: () => Promise.reject(new Error(model)),
      },
      {
        name: 'b',
        component: 'ui',
        title: 'b',
        lookAt: inBoth(''),
        run: async () => {},
        notFor: async () => model,
      },
    ]);
    for (const { detail = '' } of [failed, skipped].flatMap((result) => result ?? [])) {
      expect(detail).toMatch(/^[ -~]+…$/);
      expect(detail).toHaveLength(1000);
    }
  });
});
