import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Returns the anchor of a heading, as code hosts make it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

describe.each([
  ['docs/README.md', [/colleague/, /GPU/, /Cursor/, /disk is full/, /delete everything/]],
  ['docs/zh/README.md', [/同事/, /GPU/, /Cursor/, /磁盘满/, /全部删除/]],
])('the questions of %s', (path, subjects) => {
  const table = readFileSync(path, 'utf8').split('\n\n')[2] ?? '';

  it('include those of a tired administrator', () => {
    for (const subject of subjects) expect(table).toMatch(subject);
  });

  it('lead to pages and sections that exist', () => {
    const links = [...table.matchAll(/\]\(([^)#]+)(?:#([^)]+))?\)/g)];
    expect(links.length).toBeGreaterThan(12);
    const missing = links.filter(([, page = '', section]) => {
      const file = join(dirname(path), page);
      if (!existsSync(file)) return true;
      const headings = readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm);
      const anchors = [...headings].map(([, heading = '']) => anchorOf(heading));
      return section !== undefined && !anchors.includes(section);
    });
    expect(missing.map(([link]) => link)).toEqual([]);
  });
});
