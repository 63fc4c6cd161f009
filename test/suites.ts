import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { imageNeed } from './host/distributions.ts';
import type { HostDistribution } from './setup/debian/host-image.ts';
import { hostSuites } from './setup/debian/host-image.ts';
import { type NeedName, needNames } from './setup/variables.ts';

export type Suite = 'unit' | 'integration' | 'host';

/** Environment variable: unit tests that take minutes are left out. */
export const essentialVariable = 'LANDFALL_TEST_ESSENTIAL';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * The test files with real dependencies that plain `npm test` runs: those that verify the README on
 * this machine in a few minutes. `--all` also runs the others.
 */
const essential: Readonly<Record<Exclude<Suite, 'unit'>, readonly string[]>> = {
  integration: [
    'bootstrap/bootstrap-lint',
    'bootstrap/cloud-init',
    'builder/cross-verify',
    'builder/full-build',
    'builder/image-sources',
    'engine/engine-stand-in',
    'firewall/ruleset',
    'setup',
    'stack/stack-files',
    'stack/stack',
  ],
  host: ['boot/first-boot'],
};

/**
 * Returns the test files of a suite, all or the essential ones, filtered by words in their paths.
 */
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
 * Returns the dependencies of test files, found in their text: `needs('registry')`,
 * `hostNeeds(distribution)`. In CI, a dependency that is missed here fails the test, which reports
 * that it was not prepared.
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
