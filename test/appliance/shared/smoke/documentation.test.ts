import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { byComponent, hostComponents, selectableComponents } from '#contract/component-names.ts';
import { smokeTests, titleOf } from '../../../../appliance/shared/smoke/smoke-tests.ts';
import { outsideTarget } from './inside-target.ts';

const english = {
  page: 'docs/smoke.md',
  language: 'en',
  server: 'the server',
  any: 'anywhere',
} as const;
const chinese = {
  page: 'docs/zh/smoke.md',
  language: 'zh',
  server: '服务器',
  any: '任何机器',
} as const;

describe.each([english, chinese])('$page', ({ page, language, server, any }) => {
  const text = readFileSync(new URL(`../../../../${page}`, import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| `([a-z-]+)` \| (.+?) \| (.+) \|$/gm)].map(
    ([, name, title, from]) => ({ name, title, from }),
  );

  it('lists exactly the tests, in order', () => {
    expect(rows.map(({ name, title }) => ({ name, title }))).toEqual(
      smokeTests.map((test) => ({ name: test.name, title: titleOf(test, language) })),
    );
  });

  it('marks the tests that run on the server only', async () => {
    const target = outsideTarget({
      hosts: byComponent(hostComponents, (name) => `${name}.example.com`),
      components: byComponent(selectableComponents, () => true),
      providers: { openai: { base_url: 'https://api.openai.com/v1' } },
    });
    for (const [index, { name, notFor }] of smokeTests.entries()) {
      const from = (await notFor?.(target)) ? server : any;
      expect([name, rows[index]?.from]).toEqual([name, from]);
    }
  });
});

describe('the page of the first boot', () => {
  it.each(['docs/first-boot.md', 'docs/zh/first-boot.md'])(
    'shows the number of tests: %s',
    (name) => {
      const page = readFileSync(new URL(`../../../../${name}`, import.meta.url), 'utf8');
      expect(page).toMatch(new RegExp(`smoke .* ${smokeTests.length} (?:tests|项测试)`));
    },
  );
});

describe('the smoke tests', () => {
  it('gives a Chinese title to each smoke test', () => {
    for (const test of smokeTests) expect(titleOf(test, 'zh')).toMatch(/\p{Script=Han}/u);
    expect(new Set(smokeTests.map((test) => titleOf(test, 'zh'))).size).toBe(smokeTests.length);
  });

  it('lists smoke tests with unique names and titles, and with hints', () => {
    expect(new Set(smokeTests.map(({ name }) => name)).size).toBe(smokeTests.length);
    expect(new Set(smokeTests.map(({ title }) => title)).size).toBe(smokeTests.length);
    for (const { lookAt } of smokeTests) {
      expect(lookAt.en).toContain('sudo ');
      expect(lookAt.zh).toContain('sudo ');
    }
  });
});
