import { judgeLayout, offsetsOf } from '#contract/bundle/layout.ts';
import { judgeModels } from '#contract/bundle/model-files.ts';
import {
  type Release,
  type ReleaseBootstrapFile,
  type ReleaseFile,
  releaseSchema,
} from '#contract/bundle/release.ts';
import { LandfallError } from '#contract/errors.ts';
import { schemaProblems } from '#contract/text/schema-problems.ts';
import type { Entry } from './entry.ts';

/** All of a release but its files. The bootstrap is required: only older releases do not name it. */
export type ReleaseFacts = Omit<Release, 'files' | 'schema' | 'bootstrap'> & {
  readonly bootstrap: ReleaseBootstrapFile[];
};

/**
 * The manifest of a bundle with these entries. It is complete before a single large blob was
 * fetched, since the lock knows every digest and size: that is why a bundle can begin with it.
 * @throws LandfallError CONFIG_INVALID when the result would be no valid release
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
    throw new LandfallError('CONFIG_INVALID', 'the release would not be valid', {
      hint: 'Shorten or rename what is named below.',
      problems: schemaProblems(release.error.issues, (path) => nameOf(path, entries)),
    });
  }
  judgeLayout(release.data);
  judgeModels(release.data);
  return release.data;
}

/** `files.7.path` says nothing to a person; the path does. */
function nameOf(path: readonly PropertyKey[], entries: readonly Entry[]): string {
  const [top, index] = path;
  const entry = top === 'files' && typeof index === 'number' ? entries[index] : undefined;
  return entry ? `file ${entry.path}` : path.join('.');
}
