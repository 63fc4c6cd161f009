import { checkLayout, offsetsOf } from '#contract/bundle/layout.ts';
import { checkModels } from '#contract/bundle/model-files.ts';
import {
  type Release,
  type ReleaseBootstrapFile,
  type ReleaseFile,
  releaseSchema,
} from '#contract/bundle/release.ts';
import { LandfallError } from '#contract/errors.ts';
import { schemaProblems } from '#contract/text/schema-problems.ts';
import type { Entry } from './entry.ts';

/** A release without its files. The bootstrap is required here; only old releases lack it. */
export type ReleaseFacts = Omit<Release, 'files' | 'schema' | 'bootstrap'> & {
  readonly bootstrap: ReleaseBootstrapFile[];
};

/**
 * Returns the manifest of a bundle with these entries. The lock provides all digests and sizes, so
 * the manifest is complete before large blobs are fetched and can be at the start of the bundle.
 * @throws LandfallError CONFIG_INVALID when the result is not a valid release
 */
export function releaseOf(facts: ReleaseFacts, entries: readonly Entry[]): Release {
  const offsets = offsetsOf(entries);
  const files: ReleaseFile[] = entries.map(({ path, size, sha256, executable }, index) => ({
    path,
    size,
    sha256,
    offset: offsets[index] ?? 0,
    executable,
  }));
  const release = releaseSchema.safeParse({ schema: 1, ...facts, files });
  if (!release.success) {
    throw new LandfallError('CONFIG_INVALID', 'the release is not valid', {
      hint: 'Shorten or rename the items above.',
      problems: schemaProblems(release.error.issues, (path) => nameOf(path, entries)),
    });
  }
  checkLayout(release.data);
  checkModels(release.data);
  return release.data;
}

/** Returns the path of a file for errors, instead of `files.7.path`. */
function nameOf(path: readonly PropertyKey[], entries: readonly Entry[]): string {
  const [top, index] = path;
  const entry = top === 'files' && typeof index === 'number' ? entries[index] : undefined;
  return entry ? `file ${entry.path}` : path.join('.');
}
