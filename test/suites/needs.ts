import { readFileSync } from 'node:fs';
import { imageNeed } from '../host/distributions.ts';
import type { HostDistribution } from '../setup/debian/host-image.ts';
import { hostSuites } from '../setup/debian/host-image.ts';
import { type NeedName, needNames } from '../setup/variables.ts';

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
    const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
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
