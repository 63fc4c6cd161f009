import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { versionPattern } from '#contract/bundle/version.ts';
import { LandfallError, type Problem } from '#contract/errors.ts';
import { orFileError } from '#files/file-error.ts';
import { workTreeProblems } from '../../base/files/work-tree-problems.ts';
import { type Appliance, readAppliance } from '../../inputs/config/appliance.ts';
import { driftOf, lockInputs } from '../../inputs/lock/inputs.ts';
import { unresolvedIn } from '../../inputs/lock/lock.ts';
import { lockPathFor, readLock } from '../../inputs/lock/lock-file.ts';
import { changelogSection } from './changelog.ts';

/** What a checkout releases. */
export interface ReleasePlan {
  /** `v1.2.0`. */
  readonly tag: string;
  /** Path of appliance.yaml. */
  readonly config: string;
  readonly appliance: Appliance;
  /** The section of CHANGELOG.md, Markdown. */
  readonly changes: string;
}

/**
 * Checks that a checkout can be released under a tag.
 * @param root folder of the checkout
 * @throws LandfallError CONFIG_INVALID with every problem; USAGE for a tag that is not `v` and a
 * version; CONFIG_…, LOCK_INVALID and FILE_… for files that cannot be read
 */
export async function checkRelease(root: string, tag: string): Promise<ReleasePlan> {
  const version = versionOf(tag);
  const config = join(root, 'builder/inputs/appliance.yaml');
  const appliance = await readAppliance(config);
  const changes = changelogSection(await readText(join(root, 'CHANGELOG.md')), version);
  const problems = [
    ...versionProblems(version, await packageVersion(root), appliance),
    ...(await workTreeProblems(root, tag)),
    ...(await lockProblems(lockPathFor(config), appliance)),
    ...(changes ? [] : [`CHANGELOG.md has no text below "## ${version}"`]),
  ];
  if (problems.length === 0) return { tag, config, appliance, changes: changes ?? '' };
  const count = problems.length === 1 ? 'one problem' : `${problems.length} problems`;
  throw new LandfallError('CONFIG_INVALID', `${tag} cannot be released: ${count}`, {
    hint: 'Fix the problems above, commit the changes, and run the command again.',
    problems: problems.map((message): Problem => ({ message })),
  });
}

function versionOf(tag: string): string {
  const version = tag.startsWith('v') ? tag.slice(1) : '';
  if (versionPattern.test(version)) return version;
  throw new LandfallError('USAGE', `${JSON.stringify(tag)} is not the tag of a release`, {
    hint: 'Use v and a version, such as v1.2.0.',
  });
}

function versionProblems(tagged: string, packaged: string, { version }: Appliance): string[] {
  return [
    ...(packaged === tagged ? [] : [`package.json has the version ${packaged}, not ${tagged}`]),
    ...(version === tagged ? [] : [`appliance.yaml has the version ${version}, not ${tagged}`]),
  ];
}

async function lockProblems(path: string, appliance: Appliance): Promise<string[]> {
  const lock = await readLock(path);
  if (!lock) return ['appliance.lock.yaml is missing; run `landfall lock`'];
  return [
    ...driftOf(lockInputs(appliance), lock).map((drift) => `appliance.lock.yaml: ${drift}`),
    ...unresolvedIn(lock).map((field) => `appliance.lock.yaml: ${field} is unresolved`),
  ];
}

async function packageVersion(root: string): Promise<string> {
  const { version } = JSON.parse(await readText(join(root, 'package.json'))) as {
    version?: unknown;
  };
  return String(version);
}

function readText(path: string): Promise<string> {
  return orFileError(path, readFile(path, 'utf8'));
}
