import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { leadsSomewhere, linksIn } from './links.ts';

describe.each([
  ['docs/README.md', [/colleague/, /GPU/, /Cursor/, /disk is full/, /delete everything/]],
  ['docs/zh/README.md', [/同事/, /GPU/, /Cursor/, /磁盘满/, /全部删除/]],
])('the questions of %s', (path, subjects) => {
  const table = readFileSync(path, 'utf8').split('\n\n')[2] ?? '';

  it('include those of a tired administrator', () => {
    for (const subject of subjects) expect(table).toMatch(subject);
  });

  it('lead to pages and sections that exist', () => {
    const links = linksIn(path, table);
    expect(links.length).toBeGreaterThan(12);
    expect(links.filter((link) => !leadsSomewhere(link))).toEqual([]);
  });
});
