import { type Row, rowsOf, type Section, type ShownFields } from '../report.ts';
import { shownDigest, shownFact, shownSize } from '../shown.ts';
import type {
  ComponentVersion,
  FileVersion,
  ModelVersion,
  ReleaseChanges,
  RuntimeVersion,
} from './changes.ts';
import { isRuntimeFile } from './compare-releases.ts';

/** Returns the differences between two releases as tables. */
export function releaseSections(changes: ReleaseChanges): Section[] {
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
