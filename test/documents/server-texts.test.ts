import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sourcesBelow, textOf } from '../structure/sources.ts';

/** Lines of the server's programs that users may read: without comments and without URLs of modules. */
const lines = sourcesBelow('appliance')
  .flatMap((path) =>
    textOf(path)
      .split('\n')
      .map((line) => ({ path, line })),
  )
  .filter(({ line }) => !/^\s*(?:\/\/|\/\*|\*)|new URL\(|\bfrom '/.test(line));

const found = (pattern: RegExp) =>
  lines.filter(({ line }) => pattern.test(line)).map(({ path, line }) => `${path}: ${line.trim()}`);

describe('the texts on a server', () => {
  it('name no path of a page that is only in the repository', () => {
    expect(found(/(?<!https:\S+)\bdocs\/[\w/-]+\.md/)).toEqual([]);
  });

  it('name no command that only the computer of the administrator has', () => {
    expect(found(/landfall schema/)).toEqual([]);
  });

  it.each([
    ['en', 'docs', /([\w/-]+\.md) of the documentation/g],
    ['zh', 'docs/zh', /Landfall 文档 ([\w/-]+\.md)/g],
  ])('name pages of the documentation that exist: %s', (_language, folder, pattern) => {
    const named = lines.flatMap(({ line }) => [...line.matchAll(pattern)].map(([, name]) => name));
    expect(named.length).toBeGreaterThan(5);
    const missing = named.filter((name) => !existsSync(join(folder, name ?? '')));
    expect(missing).toEqual([]);
  });

  it('name sections of the documentation that exist', () => {
    expect(readFileSync('docs/backup.md', 'utf8')).toMatch(/^#+ A damaged repository$/m);
  });
});
