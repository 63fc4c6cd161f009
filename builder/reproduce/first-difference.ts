import type { Release, ReleaseFile } from '#contract/bundle/release.ts';

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
  const { files: before, ...fields } = published;
  const { files: after, ...others } = built;
  return (
    fileDifference(before, after) ??
    fieldDifference(fields, others) ??
    fieldDifference(before, after, 'files')
  );
}

function fileDifference(
  published: readonly ReleaseFile[],
  built: readonly ReleaseFile[],
): Difference | undefined {
  const [before, after] = [published, built].map(
    (files) => new Map(files.map(({ path, sha256 }) => [path, sha256])),
  );
  for (const path of new Set([...published, ...built].map((file) => file.path))) {
    const [one, other] = [before?.get(path), after?.get(path)];
    if (one === other) continue;
    return { path, published: one ?? 'no such file', built: other ?? 'no such file' };
  }
  return undefined;
}

/** Compares values recursively, in the order of their fields. */
function fieldDifference(one: unknown, other: unknown, path = ''): Difference | undefined {
  if (!isObject(one) || !isObject(other)) {
    if (one === other) return undefined;
    return { path, published: shown(one), built: shown(other) };
  }
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const below = path === '' ? key : `${path}.${key}`;
    const found = fieldDifference(one[key], other[key], below);
    if (found) return found;
  }
  return undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function shown(value: unknown): string {
  if (value === undefined) return 'absent';
  const text = JSON.stringify(value);
  return text.length > maxValue ? `${text.slice(0, maxValue)}…` : text;
}
