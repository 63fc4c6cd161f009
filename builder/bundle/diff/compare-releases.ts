import { z } from 'zod';
import {
  composeFolder,
  composePlugin,
  nodeTarball,
  program,
  singBoxTarball,
} from '#contract/bundle/bundle-paths.ts';
import { carriesModel } from '#contract/bundle/model-files.ts';
import type { ReleaseImage } from '#contract/bundle/release.ts';
import { parseJson } from '#contract/text/json.ts';
import { formatKeyId, trustedKeysOf } from '#contract/trust/keys.ts';
import { changesBetween, type ValueChange } from './report.ts';
import type { Pair, ReleaseSide } from './sides.ts';

/** The image of a component. For an assembled image, `reference` and `index` are those of its base. */
export interface ComponentVersion extends Omit<ReleaseImage, 'component' | 'config' | 'base'> {
  /** Whether the builder added a program of Landfall to the image. */
  readonly assembled: boolean;
}

export interface ModelVersion {
  readonly role: string;
  readonly manifest: string | null;
  /** Bytes. */
  readonly size: number | null;
  /** Whether the bundle contains it; otherwise the server pulls it. */
  readonly carried: boolean;
}

/** Node, the Compose plugin, the proxy client or Landfall's program for the server. */
export interface RuntimeVersion {
  /** Null if the SBOM cannot be read. */
  readonly version: string | null;
  readonly sha256: string;
  /** Bytes. */
  readonly size: number | null;
}

export interface FileVersion {
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
  readonly executable: boolean;
}

/** The differences between two releases, each list sorted by name. */
export interface ReleaseChanges {
  /** Fields of release.json. The SHA-256 of release.json is one, so any difference is in the list. */
  readonly facts: readonly ValueChange<string>[];
  readonly components: readonly ValueChange<ComponentVersion>[];
  readonly models: readonly ValueChange<ModelVersion>[];
  readonly runtime: readonly ValueChange<RuntimeVersion>[];
  /** Versions of the npm packages in Landfall's programs; null if an SBOM cannot be read. */
  readonly packages: readonly ValueChange<readonly string[]>[] | null;
  /** Files of the stack, and the appliance with its lock. */
  readonly settings: readonly ValueChange<FileVersion>[];
  /** All other files. */
  readonly files: readonly ValueChange<FileVersion>[];
  /** SHA-256 by file. */
  readonly bootstrap: readonly ValueChange<string>[];
}

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
  const keys = trustedKeysOf(release.keys);
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

/** Versions of the software in a release, as its SBOM lists them. */
interface SbomVersions {
  /** Versions by name of an npm package, sorted. */
  readonly packages: ReadonlyMap<string, readonly string[]>;
  /** Version by name of a program: `node`, `docker-compose`, `landfall`. */
  readonly programs: ReadonlyMap<string, string>;
}

/** Only the fields that are compared. Limits, because an SBOM can come from an untrusted bundle. */
const sbomSchema = z.object({
  bomFormat: z.literal('CycloneDX'),
  components: z
    .array(
      z.object({
        type: z.string(),
        name: z.string().max(512),
        version: z.string().max(512).default(''),
        purl: z.string().optional(),
      }),
    )
    .max(20_000),
});

/** Returns the versions in an SBOM; undefined if it is not CycloneDX in JSON. */
export function versionsInSbom(bytes: Uint8Array): SbomVersions | undefined {
  const parsed = sbomSchema.safeParse(parseJson(bytes));
  if (!parsed.success) return undefined;
  const packages = new Map<string, string[]>();
  const programs = new Map<string, string>();
  for (const { type, name, version, purl = '' } of parsed.data.components) {
    if (type === 'application') programs.set(name, version);
    if (type !== 'library' || !purl.startsWith('pkg:npm/')) continue;
    packages.set(name, [...(packages.get(name) ?? []), version].sort());
  }
  return { packages, programs };
}
