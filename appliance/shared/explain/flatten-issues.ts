import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/** An issue with a single path. */
export interface FlatIssue {
  readonly path: readonly PropertyKey[];
  /** Whether the key or its value is invalid. */
  readonly at: 'key' | 'value';
  readonly issue: Issue;
}

/**
 * Returns one issue per unknown key and per invalid value. Issues of unions are resolved to the
 * innermost invalid value. If a value has several issues, the first is kept.
 */
export function flattenIssues(issues: readonly Issue[]): FlatIssue[] {
  const seen = new Set<string>();
  return below(issues, []).filter(({ path }) => {
    const key = JSON.stringify(path.map(String));
    const first = !seen.has(key);
    seen.add(key);
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

/** Returns the issues of the only union option whose type matches the value, if there is one. */
function closestOption(options: readonly Issue[][]): readonly Issue[] | undefined {
  const inside = options.filter((issues) => !issues.some(isAtTop));
  return inside.length === 1 ? inside[0] : undefined;
}

/** Returns whether the value itself has the wrong type, not one of its members. */
function isAtTop(issue: Issue): boolean {
  return (
    issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value')
  );
}
