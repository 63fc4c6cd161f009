import {
  composeFolder,
  composePlugin,
  nodeTarball,
  program,
  singBoxTarball,
} from '#contract/bundle/bundle-paths.ts';
import { carriesModel } from '#contract/bundle/model-files.ts';
import { announcedKeys } from '#contract/trust/key-change.ts';
import { formatKeyId } from '#contract/trust/keys.ts';
import { changesBetween } from '../change.ts';
import type { Pair, ReleaseSide } from '../sides/side.ts';
import type {
  ComponentVersion,
  FileVersion,
  ModelVersion,
  ReleaseChanges,
  RuntimeVersion,
} from './changes.ts';
import type { SbomVersions } from './packages.ts';

/** A release with the versions of its SBOM, if that could be read. */
export interface ComparedRelease extends Pick<ReleaseSide, 'release' | 'manifestSha256'> {
  readonly versions: SbomVersions | undefined;
}

/** Compares two releases. */
export function compareReleases({ before, after }: Pair<ComparedRelease>): ReleaseChanges {
  const compare = <T>(
    mapOf: (side: ComparedRelease) => ReadonlyMap<string, T>,
    isSame?: (one: T, other: T) => boolean,
  ) => changesBetween(mapOf(before), mapOf(after), isSame);
  const packages = [before, after].every(({ versions }) => versions !== undefined)
    ? compare(({ versions }) => versions?.packages ?? new Map())
    : null;
  return {
    facts: compare(factsOf),
    components: compare(componentsOf),
    models: compare(modelsOf),
    runtime: compare(runtimeOf, (one, other) => one.sha256 === other.sha256),
    packages,
    settings: compare((side) => filesOf(side, true)),
    files: compare((side) => filesOf(side, false)),
    bootstrap: compare(
      ({ release }) => new Map(release.bootstrap?.map(({ name, sha256 }) => [name, sha256])),
    ),
  };
}

function factsOf({ release, manifestSha256 }: ComparedRelease): Map<string, string> {
  const { product, version, arch, kind, created, expires, updatesFrom, dataEpoch } = release;
  const keys = announcedKeys(release.keys);
  const facts: Record<string, string | null | undefined> = {
    ...{ product, version, arch, kind, created, expires, updatesFrom },
    dataEpoch: `${dataEpoch}`,
    'keys.release': keys.release.map(({ id }) => formatKeyId(id)).join(', '),
    'keys.recovery': keys.recovery && formatKeyId(keys.recovery.id),
    critical: release.critical?.map(({ field, since }) => `${field} (${since})`).join(', '),
    'release.json': manifestSha256,
  };
  return new Map(
    Object.entries(facts).flatMap(([name, value]) => (value ? [[name, value] as const] : [])),
  );
}

function componentsOf({ release }: ComparedRelease): Map<string, ComponentVersion> {
  return new Map(
    release.images.map(({ component, base, config: _, ...image }) => [
      component,
      { ...image, ...base, assembled: base !== undefined },
    ]),
  );
}

function modelsOf({ release }: ComparedRelease): Map<string, ModelVersion> {
  return new Map(
    release.models.map(({ name, ...model }) => [
      name,
      { ...model, carried: carriesModel(release, model) },
    ]),
  );
}

/** Names of the runtime files, as in the SBOM, by their paths. */
const runtimeNames: ReadonlyMap<string, string> = new Map([
  [nodeTarball, 'node'],
  [composePlugin, 'docker-compose'],
  [singBoxTarball, 'sing-box'],
  [program, 'landfall'],
]);

/** Returns whether a file of a release is compared as part of the runtime. */
export function isRuntimeFile(path: string): boolean {
  return runtimeNames.has(path);
}

function runtimeOf({ release, versions }: ComparedRelease): Map<string, RuntimeVersion> {
  return new Map(
    [...release.files, ...release.downloads].flatMap(({ path, sha256, size }) => {
      const name = runtimeNames.get(path);
      if (name === undefined) return [];
      const version = versions?.programs.get(name) ?? null;
      return [[name, { version, sha256, size }] as const];
    }),
  );
}

const documents: ReadonlySet<string> = new Set(['appliance.yaml', 'appliance.lock.yaml']);

function isSetting(path: string): boolean {
  return path.startsWith(`${composeFolder}/`) || documents.has(path);
}

function filesOf({ release }: ComparedRelease, settings: boolean): Map<string, FileVersion> {
  return new Map(
    release.files
      .filter(({ path }) => isSetting(path) === settings)
      .map(({ path, size, sha256, executable }) => [path, { size, sha256, executable }]),
  );
}
