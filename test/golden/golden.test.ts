import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setLanguage } from '#contract/text/language.ts';
import { setTimeZone } from '#contract/text/time-zone.ts';
import { now } from './conditions.ts';
import { differenceOf, readGolden, rewriteVariable, writeGolden } from './golden-folder.ts';
import { invalidSites } from './topics/site.ts';
import { topics } from './topics.ts';

/** Milliseconds. A topic that goes on after its limit would change the language of the next one. */
const limit = 600_000;
const isRewriting = process.env[rewriteVariable] !== undefined;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now });
  setLanguage('en');
  setTimeZone('UTC');
});
afterEach(() => {
  vi.useRealTimers();
  setLanguage('en');
});

describe('what users see', () => {
  it.each(Object.entries(topics))(
    'keeps every byte of the topic %s',
    async (name, topic) => {
      const rendered = await topic();
      if (isRewriting) writeGolden(name, rendered);
      const difference = differenceOf(readGolden(name), rendered);
      const advice =
        'If users shall see this, run `npm run golden`, and name the change in the commit.';
      expect(difference === undefined, `${difference}\n${advice}`).toBe(true);
    },
    limit,
  );

  it('renders sites that a server accepts', () => {
    expect(invalidSites()).toEqual([]);
  });
});

describe('the first difference of golden files', () => {
  const golden = (text: string) => new Map([['a.txt', text]]);

  it('finds none in equal files', () => {
    expect(differenceOf(golden('x\n'), golden('x\n'))).toBeUndefined();
  });

  it('shows a changed line with the lines around it', () => {
    const lines = ['1', '2', '3', '4', '5', '6', '7', '8', ''];
    const changed = lines.with(4, 'five');
    expect(differenceOf(golden(lines.join('\n')), golden(changed.join('\n')))).toBe(
      '--- a.txt\n+++ a.txt\n@@ -5,1 +5,1 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8',
    );
  });

  it('shows an added line, a missing file and the number of other files', () => {
    const before = new Map([...golden('a\nb\nc\n'), ['b.txt', 'x\n'], ['c.txt', 'y\n']]);
    expect(differenceOf(before, golden('a\nnew\nb\nc\n'))).toBe(
      '--- a.txt\n+++ a.txt\n@@ -2,0 +2,1 @@\n a\n+new\n b\n c\nand 2 more files',
    );
    const difference = differenceOf(before, new Map([...before].slice(0, 2)));
    expect(difference).toBe('--- c.txt\n+++ c.txt\n@@ -1,1 +1,0 @@\n-y');
  });
});
