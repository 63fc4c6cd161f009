import type { z } from 'zod';
import type { Problem } from '#contract/errors.ts';
import type { YamlFile } from '#yaml/parse.ts';
import { type FlatIssue, flattenIssues } from './flatten-issues.ts';
import { wordIssue } from './issue-wording.ts';

/** A wrong file can have thousands of problems; only the first ones are useful. */
const maxProblems = 50;

/**
 * Returns the problems of a file's values: each with its position, the cause and a hint. Text from
 * the file is quoted only if it cannot be a secret (see advice.ts).
 * @param schema the schema of the file; with it, hints suggest keys and describe missing values
 */
export function explain(error: z.ZodError, file: YamlFile, schema?: z.ZodType): Problem[] {
  const problems = flattenIssues(error.issues).map((issue): Problem => {
    const wording = wordIssue(issue, file.value, schema);
    return { ...wording, file: file.path, ...positionOf(issue, file) };
  });
  return inOrder(problems).slice(0, maxProblems);
}

/** Sorts problems by their position in the file. */
export function inOrder(problems: readonly Problem[]): Problem[] {
  return problems.toSorted(
    (a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
  );
}

function positionOf({ path, at }: FlatIssue, file: YamlFile) {
  return at === 'key' ? file.locateKey(path) : file.locate(path);
}
