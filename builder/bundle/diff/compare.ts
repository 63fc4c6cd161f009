import { sbom } from '#contract/bundle/bundle-paths.ts';
import { updateCost } from '#contract/bundle/update-cost.ts';
import { LandfallError } from '#contract/errors.ts';
import { formatKeyId } from '#contract/trust/keys.ts';
import {
  type ComponentVersion,
  compareReleases,
  type FileVersion,
  isRuntimeFile,
  type ModelVersion,
  type ReleaseChanges,
  type RuntimeVersion,
  versionsInSbom,
} from './compare-releases.ts';
import {
  type Comparison,
  filled,
  type Row,
  rowsOf,
  type Section,
  type ShownFields,
  shownDigest,
  shownFact,
  shownSize,
} from './report.ts';
import { reportLocks } from './report-locks.ts';
import type { Pair, ReleaseSide, Side } from './sides.ts';
import { releaseTitle, updateSummary } from './update-cost.ts';

/**
 * Compares two releases or two lock files.
 * @throws LandfallError USAGE for a release and a lock file
 */
export function compare({ before, after }: Pair<Side>): Comparison {
  if (before.type === 'lock' && after.type === 'lock') return reportLocks({ before, after });
  if (before.type !== 'lock' && after.type !== 'lock') {
    return reportReleases({ before, after });
  }
  throw new LandfallError('USAGE', 'cannot compare a release with a lock file', {
    hint: 'Pass two releases, or two lock files.',
  });
}

function reportReleases(sides: Pair<ReleaseSide>): Comparison {
  const { before, after } = sides;
  const changes = compareReleases({
    before: { ...before, versions: before.sbom && versionsInSbom(before.sbom) },
    after: { ...after, versions: after.sbom && versionsInSbom(after.sbom) },
  });
  const releases = { before: before.release, after: after.release };
  const update = updateCost(releases);
  // release.json lists everything else, so equal ones mean equal releases.
  const different = before.manifestSha256 !== after.manifestSha256;
  return {
    different,
    report: {
      title: releaseTitle(releases),
      summary: different ? updateSummary(releases, update) : ['No differences.'],
      sections: filled(releaseSections(changes)),
      notes: [...(different ? notesOn(sides, changes) : []), signatureNote(sides)],
    },
    json: {
      type: 'releases',
      different,
      before: jsonOf(before),
      after: jsonOf(after),
      update,
      ...changes,
    },
  };
}

function notesOn({ before, after }: Pair<ReleaseSide>, { packages }: ReleaseChanges): string[] {
  if (packages) return [];
  const isManifest = [before, after].some(({ type }) => type === 'manifest');
  const advice = isManifest
    ? ` Pass the bundles, or put the .${sbom} files beside the release.json files.`
    : '';
  return [`Packages cannot be compared: an SBOM is missing or not readable.${advice}`];
}

function signatureNote({ before, after }: Pair<ReleaseSide>): string {
  if (!before.signer || !after.signer) return 'Signatures are not verified.';
  const [one, other] = [before.signer, after.signer].map(
    ({ key, role }) => `${formatKeyId(key.id)} (${role} key)`,
  );
  return one === other
    ? `Both releases are signed by ${one}.`
    : `The first release is signed by ${one}, the second by ${other}.`;
}

function jsonOf({ type, name, release, manifestSha256, signer }: ReleaseSide): object {
  const { product, version, arch, kind, created } = release;
  return {
    ...{ type, name, product, version, arch, kind, created, manifestSha256 },
    verified: signer !== undefined,
    ...(signer ? { signer: { keyId: signer.key.id, role: signer.role } } : {}),
  };
}

/** Returns the differences between two releases as tables. */
function releaseSections(changes: ReleaseChanges): Section[] {
  const { facts, components, models, runtime, packages, settings, files, bootstrap } = changes;
  const others = files.filter(({ name }) => !isRuntimeFile(name));
  const [blobs, named] = [others.filter(isBlob), others.filter((change) => !isBlob(change))];
  return [
    { title: 'release', rows: rowsOf(facts, (value) => ({ '': shownFact(value) })) },
    { title: 'components', rows: rowsOf(components, componentFields) },
    { title: 'models', rows: rowsOf(models, modelFields) },
    { title: 'runtime', rows: rowsOf(runtime, runtimeFields) },
    {
      title: 'packages',
      rows: rowsOf(packages ?? [], (versions) => ({ '': { short: versions.join(', ') } })),
    },
    { title: 'settings', rows: rowsOf(settings, fileFields) },
    { title: 'files', rows: [...rowsOf(named, fileFields), ...blobRows(blobs)] },
    { title: 'bootstrap', rows: rowsOf(bootstrap, (sha256) => ({ '': shownDigest(sha256) })) },
  ];
}

function componentFields(version: ComponentVersion): ShownFields {
  const { reference, assembled, index, manifest, size, optional } = version;
  return {
    image: { short: assembled ? `${reference} with a program of Landfall` : reference },
    index: shownDigest(index),
    manifest: { ...shownDigest(manifest), detail: true },
    size: shownSize(size),
    optional: { short: optional ? 'yes' : 'no', detail: true },
  };
}

function modelFields({ role, manifest, size, carried }: ModelVersion): ShownFields {
  return {
    manifest: shownDigest(manifest),
    size: shownSize(size),
    role: { short: role },
    source: { short: carried ? 'in the bundle' : 'pulled by the server', detail: true },
  };
}

function runtimeFields({ version, sha256, size }: RuntimeVersion): ShownFields {
  return {
    version: version === null ? undefined : { short: version },
    'SHA-256': shownDigest(sha256),
    size: shownSize(size),
  };
}

function fileFields({ size, sha256, executable }: FileVersion): ShownFields {
  const content = `${size} B, SHA-256 ${sha256.slice(0, 12)}…`;
  return {
    '': { short: shownSize(size).short, full: `${content}${executable ? ', executable' : ''}` },
  };
}

type FileChange = ReleaseChanges['files'][number];

/** Returns whether a file is named by its digest: a part of an image or a model. */
function isBlob({ name }: FileChange): boolean {
  return /^(?:blobs|models)\/sha256\//.test(name);
}

/** Counts blobs, because their names say nothing to users. */
function blobRows(blobs: readonly FileChange[]): Row[] {
  return (['blobs', 'models'] as const).flatMap((folder) => {
    const inFolder = blobs.filter(({ name }) => name.startsWith(`${folder}/`));
    const [removed, added] = (['before', 'after'] as const).map((side) =>
      inFolder.flatMap((change) => change[side]?.size ?? []),
    );
    if (!removed || !added || inFolder.length === 0) return [];
    const fields = [{ name: '', before: counted(removed, '-'), after: counted(added, '+') }];
    return [{ kind: 'changed' as const, name: `${folder}/sha256/`, fields }];
  });
}

/** Returns `+12 blobs, 1.2 GB`. */
function counted(sizes: readonly number[], sign: '+' | '-'): string {
  const total = shownSize(sizes.reduce((sum, size) => sum + size, 0)).short;
  return `${sign}${sizes.length} blob${sizes.length === 1 ? '' : 's'}, ${total}`;
}
