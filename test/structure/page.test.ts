import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { importsOf, root, sourcesBelow, textOf } from './sources.ts';

const configuration = 'tsconfig.page.json';
const { include, exclude } = JSON.parse(textOf(configuration)) as Record<
  'include' | 'exclude',
  readonly string[]
>;
const entries = include.flatMap((path) => (/\.tsx?$/.test(path) ? [path] : sourcesBelow(path)));

/** Lists the files that a page needs, types included. */
function reachableFrom(files: readonly string[]): string[] {
  const found = new Set(files);
  for (const file of found) {
    for (const target of importsOf(file)) {
      if (/^(?:builder|appliance)\/(?!shared\/platform\/node\/)/.test(target)) found.add(target);
    }
  }
  return [...found].sort();
}

describe('the code that also runs in a web page', () => {
  const files = reachableFrom(entries);

  it('verifies releases, validates both configuration files, renders and explains user-data', () => {
    expect(files).toEqual(
      expect.arrayContaining([
        ...['contract/bundle/verify.ts', 'contract/trust/trust.ts'].map(
          (at) => `appliance/shared/${at}`,
        ),
        'appliance/shared/explain/parse-site.ts',
        'builder/inputs/config/parse-appliance.ts',
        'builder/deliver/explain/explain-paste.ts',
        'builder/deliver/user-data/render.ts',
      ]),
    );
  });

  it('imports no module of Node', () => {
    const modules = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => target.startsWith('node:'))
        .map((target) => `${file} imports ${target}`),
    );
    expect(modules).toEqual([]);
  });

  it('imports few packages, because a page downloads them', () => {
    const packages = files
      .flatMap(importsOf)
      .filter((target) => !/^(?:builder|appliance)\//.test(target));
    expect([...new Set(packages)].sort()).toEqual([
      ...['@noble/curves/nist.js', '@noble/hashes/sha2.js', 'preact', 'preact/hooks'],
      ...['semver', 'yaml', 'zod'],
    ]);
  });

  // Else it has that of the configuration that it extends, which leaves out the view.
  it('excludes nothing from the check of its types', () => {
    expect(exclude).toEqual([]);
  });

  // Without the types of Node, `Buffer` and `process` are unknown names.
  it('uses no global of Node', async () => {
    const compiler = join(root, 'node_modules/.bin/tsc');
    const run = promisify(execFile)(compiler, ['--noEmit', '-p', configuration], { cwd: root });
    await expect(run).resolves.toMatchObject({ stdout: '' });
  });
});
