import { dirname } from 'node:path';
import type { Release } from '#contract/bundle/release.ts';
import { LandfallError } from '#contract/errors.ts';
import type { Appliance } from '../config/appliance.ts';
import { workTreeOf } from '../files/work-tree.ts';
import { workTreeProblems } from '../files/work-tree-problems.ts';

/**
 * Checks that an appliance is the source of a release: product and version are equal, and in a git
 * work tree, all changes are committed and the tag of the version, if it exists, is checked out.
 * @param config path of the appliance
 * @throws LandfallError CONFIG_INVALID with every problem
 */
export async function expectSource(
  { name, version }: Appliance,
  config: string,
  release: Release,
): Promise<void> {
  const workTree = await workTreeOf(dirname(config));
  const found = `${name} ${version}`;
  const wanted = `${release.product} ${release.version}`;
  const problems = [
    ...(found === wanted ? [] : [`${config} describes ${found}, not ${wanted}`]),
    ...(workTree ? await workTreeProblems(workTree, `v${release.version}`) : []),
  ];
  if (problems.length === 0) return;
  throw new LandfallError('CONFIG_INVALID', `this is not the source of ${wanted}`, {
    hint: workTree
      ? `Check out the commit of the release without changes, for example: git checkout v${release.version}`
      : 'Use the package or the appliance.yaml of this version.',
    problems: problems.map((message) => ({ message })),
  });
}
