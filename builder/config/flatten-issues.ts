import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/** One issue at one place. */
export interface FlatIssue {
  readonly path: readonly PropertyKey[];
  /** Whether the key is at fault or its value. */
  readonly at: 'key' | 'value';
  readonly issue: Issue;
}

/**
 * Makes one issue for every key that is unknown, takes unions apart until each issue names the
 * innermost value that is wrong, and keeps the first issue where a value has several.
 */
export function flattenIssues(issues: readonly Issue[]): FlatIssue[] {
  const seen = new Set<string>();
  return below(issues, []).filter(({ path }) => {
    const place = JSON.stringify(path.map(String));
    const first = !seen.has(place);
    seen.add(place);
    return first;
  });
}

function below(issues: readonly Issue[], above: readonly PropertyKey[]): FlatIssue[] {
  return issues.flatMap((issue) => flatten(issue, [...above, ...issue.path]));
}

function flatten(issue: Issue, path: readonly PropertyKey[]): FlatIssue[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key], at: 'key', issue }));
  }
  if (issue.code === 'invalid_key') return [{ path, at: 'key', issue }];
  if (issue.code === 'invalid_union') {
    const closest = closestOption(issue.errors);
    if (closest) return below(closest, path);
  }
  return [{ path, at: 'value', issue }];
}

/** The option of a union that the data got furthest into, if one stands out from the rest. */
function closestOption(options: readonly Issue[][]): readonly Issue[] | undefined {
  const inside = options.filter((issues) => !issues.some(isAtTop));
  return inside.length === 1 ? inside[0] : undefined;
}

/** True when already the kind of value was wrong. */
function isAtTop(issue: Issue): boolean {
  return (
    issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value')
  );
}
