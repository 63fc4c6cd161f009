import { dirname } from 'node:path';
import { encodeRelease, type Release } from '#contract/bundle/release.ts';
import { LandfallError } from '#contract/errors.ts';
import { areEqual } from '#contract/text/bytes.ts';
import { trustedKeysOf } from '#contract/trust/keys.ts';
import { workTreeOf } from '../../base/files/git.ts';
import { workTreeProblems } from '../../base/files/work-tree-problems.ts';
import { BlobPrefetch } from '../../inputs/blobs/prefetch.ts';
import { type Appliance, readAppliance } from '../../inputs/config/appliance.ts';
import { applianceKeys } from '../archive/trusted-keys.ts';
import type { BuildContext } from '../build-context.ts';
import { planRelease } from '../plan-release.ts';
import { readInputs } from '../release-inputs.ts';
import type { PublishedRelease } from './published-release.ts';
import { type RebuiltBundle, rebuildBundle } from './rebuild-bundle.ts';

interface ReproduceOptions {
  /** Path of appliance.yaml. */
  readonly config: string;
  /** Paths of the published bundle and of the one to write; absent: only plans the bundle. */
  readonly full?: { readonly published: string; readonly output: string } | undefined;
}

/**
 * Plans a release again from its source and compares the bytes of `release.json`. It names the SHA-256
 * of every file, so files that the lock pins are not downloaded. Time, kind and architecture are those
 * of the release, and so are the keys unless the appliance names them.
 * @returns the bundle that was written, if one was requested
 * @throws LandfallError BUNDLE_DIFFERS with the first difference; CONFIG_INVALID for another source;
 * those of `build` except of keys
 */
export async function reproduce(
  published: PublishedRelease,
  { config, full }: ReproduceOptions,
  buildContext: BuildContext,
): Promise<RebuiltBundle | undefined> {
  const { release, manifest, signer } = published;
  const { arch, kind } = release;
  const { reporter, store } = buildContext;
  const appliance = await readAppliance(config);
  await expectSource(appliance, config, release);
  reporter.step(`planning the ${kind} bundle for ${arch}`);
  const inputs = await readInputs(
    {
      ...{ config, kind, frozen: true, without: leftOut(appliance, release) },
      keysOf: async () => (await applianceKeys(appliance, config)) ?? trustedKeysOf(release.keys),
    },
    buildContext,
  );
  await using prefetch = new BlobPrefetch(store);
  const created = new Date(release.created);
  const fetching = full ? prefetch : { begin() {} };
  const planned = await planRelease(inputs, { arch, created, prefetch: fetching }, buildContext);
  if (!areEqual(encodeRelease(planned.release), manifest)) {
    throw differs(firstDifference(release, planned.release));
  }
  if (!full) return undefined;
  const keys = signer
    ? { release: [signer.key], recovery: undefined }
    : trustedKeysOf(release.keys);
  return await rebuildBundle(
    { ...full, ...planned, manifest, keys },
    { ...buildContext, prefetch },
  );
}

function differs(difference: ReturnType<typeof firstDifference>): LandfallError {
  const { path, published, built } = difference ?? { path: '', published: '', built: '' };
  return new LandfallError('BUNDLE_DIFFERS', `the release is not reproduced: ${path} differs`, {
    hint: 'Use the commit, and the version of Landfall, that the release was built with.',
    problems: [{ message: `published: ${published}` }, { message: `built:     ${built}` }],
  });
}

/**
 * Returns the optional components and the models of an appliance that a release does not have, because
 * it was built with `--without`.
 */
export function leftOut(
  { components, models }: Pick<Appliance, 'components' | 'models'>,
  release: Release,
): ReadonlySet<string> {
  const images = new Set(release.images.map(({ component }) => component));
  const present = new Set(release.models.map(({ name }) => name));
  const optional = Object.entries(components).filter(([, { optional }]) => optional);
  return new Set([
    ...optional.map(([name]) => name).filter((name) => !images.has(name)),
    ...models.map(({ name }) => name).filter((name) => !present.has(name)),
  ]);
}

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

/** The first difference between two manifests. */
interface Difference {
  /** A file of the bundle, or a field of `release.json`. */
  readonly path: string;
  /** What was published and what was built: digests of files, values of fields. */
  readonly published: string;
  readonly built: string;
}

/** Maximum length of the value of a field in a report. */
const maxValue = 200;

/**
 * Returns the first difference between two releases: a file with another content, if there is one, else
 * a field of the manifest. Undefined if they are equal.
 */
export function firstDifference(published: Release, built: Release): Difference | undefined {
  for (const valuesOf of [digestsOf, fieldsOf]) {
    const [before, after] = [valuesOf(published), valuesOf(built)];
    for (const path of new Set([...before.keys(), ...after.keys()])) {
      const [one = 'absent', other = 'absent'] = [before.get(path), after.get(path)];
      if (one !== other) return { path, published: shortened(one), built: shortened(other) };
    }
  }
  return undefined;
}

function digestsOf({ files }: Release): Map<string, string> {
  return new Map(files.map(({ path, sha256 }) => [path, sha256]));
}

/** Returns all values by path, such as `keys.recovery`; those of files last. */
function fieldsOf({ files, ...fields }: Release): Map<string, string> {
  return new Map([...valuesIn(fields), ...valuesIn({ files })]);
}

function valuesIn(value: object, above = ''): [string, string][] {
  return Object.entries(value).flatMap(([key, each]: [string, unknown]) =>
    typeof each === 'object' && each !== null && Object.keys(each).length > 0
      ? valuesIn(each, `${above}${key}.`)
      : [[`${above}${key}`, JSON.stringify(each) ?? 'absent']],
  );
}

function shortened(text: string): string {
  return text.length > maxValue ? `${text.slice(0, maxValue)}…` : text;
}
