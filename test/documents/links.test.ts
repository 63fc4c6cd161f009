import { existsSync, globSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Link, leadsSomewhere, linksIn } from './links.ts';

const pages = ['*.md', 'docs/**/*.md', 'compose/**/*.md'].flatMap((pattern) => globSync(pattern));
const chinesePages = pages.filter((page) => /^docs\/zh\/|zh-CN/.test(page));

/** Returns the Chinese page of an English one; undefined if there is none. */
function chineseOf(file: string): string | undefined {
  if (file === 'README.md') return 'README.zh-CN.md';
  const page = join('docs/zh', relative('docs', file));
  return existsSync(page) ? page : undefined;
}

const isEnglishPage = ({ file }: Link) => file.endsWith('.md') && !chinesePages.includes(file);
/** A link to the original of a page, or one with a mark behind it or at the beginning of its row or line. */
const isMarked = ({ markdown, after, before }: Link) =>
  markdown.startsWith('[English]') ||
  /^（英文|^，英文/.test(after) ||
  /^\| [^|]*（英文）|^\*\*英文资料\*\*/.test(before);

describe('the links of the documents', () => {
  it.each(pages)('lead to files and sections that exist: %s', (page) => {
    const missing = linksIn(page).filter((link) => !leadsSomewhere(link));
    expect(missing.map(({ markdown }) => markdown)).toEqual([]);
  });

  it.each(chinesePages)('lead to the Chinese page where there is one: %s', (page) => {
    const found = linksIn(page)
      .filter((link) => isEnglishPage(link) && !link.markdown.startsWith('[English]'))
      .filter(({ file }) => chineseOf(file) !== undefined);
    expect(found.map(({ markdown }) => markdown)).toEqual([]);
  });

  it.each(chinesePages)('say which pages are in English: %s', (page) => {
    const found = linksIn(page).filter((link) => isEnglishPage(link) && !isMarked(link));
    expect(found.map(({ markdown, after }) => markdown + after.slice(0, 8))).toEqual([]);
  });
});

describe('a link', () => {
  it('names its file from the root of the project', () => {
    const [link] = linksIn('docs/zh/site.md', 'see [errors](../errors.md#why)（英文）');
    expect(link).toMatchObject({ file: 'docs/errors.md', section: 'why', after: '（英文）' });
  });
});
