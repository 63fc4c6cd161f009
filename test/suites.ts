import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { imageNeed } from './host/distributions.ts';
import type { HostDistribution } from './setup/host-image.ts';
import { hostSuites } from './setup/host-image.ts';
import { type NeedName, needNames } from './setup/variables.ts';

export type Suite = 'unit' | 'integration' | 'host';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * The files with real parts that plain `npm test` runs: whatever proves the story of the README on
 * this machine in a few minutes. `--all` runs the others too.
 */
const essential: Readonly<Record<Exclude<Suite, 'unit'>, readonly string[]>> = {
  integration: [
    'bootstrap-lint',
    'cloud-init',
    'cross-verify',
    'engine-stand-in',
    'firewall/ruleset',
    'full-build',
    'image-sources',
    'setup',
    'stack-files',
    'stack/stack',
  ],
  host: ['first-boot'],
};

/** The test files of a suite, all or the essential ones, with one of some words in their names. */
export function filesOf(
  suite: Exclude<Suite, 'unit'>,
  { all, words }: { all: boolean; words: readonly string[] },
): string[] {
  const files = globSync(`test/${suite}/**/*.test.ts`, { cwd: root }).sort();
  const wanted = all ? files : essential[suite].map((name) => `test/${suite}/${name}.test.ts`);
  const missing = wanted.filter((file) => !files.includes(file));
  if (missing.length > 0) throw new Error(`no such test file: ${missing.join(', ')}`);
  return words.length === 0
    ? wanted
    : wanted.filter((file) => words.some((word) => file.includes(word)));
}

/**
 * What test files need, as their text names it: `needs('registry')`, `hostNeeds(distribution)`.
 * A need that is left out here fails the test in CI, which says that it was not prepared.
 */
export function needsOf(
  files: readonly string[],
  distributions: readonly HostDistribution[],
): NeedName[] {
  const names = new Set<string>();
  for (const file of files) {
    const text = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
    for (const [, called, args = ''] of text.matchAll(/\b(needs|hostNeeds)\(([^)]*)\)/g)) {
      for (const [, name = ''] of args.matchAll(/'(\w+)'/g)) names.add(name);
      if (called === 'hostNeeds') {
        for (const name of ['engine', 'packageCache']) names.add(name);
        for (const distribution of distributions) names.add(imageNeed[distribution]);
      } else if (/\bsuite\b/.test(args)) {
        for (const distribution of distributions) names.add(hostSuites[distribution]);
      }
    }
  }
  return needNames.filter((name) => names.has(name));
}
