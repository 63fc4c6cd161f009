import type { z } from 'zod';
import type { Problem } from '#contract/errors.ts';
import { type FlatIssue, flattenIssues } from './flatten-issues.ts';
import { wordIssue } from './issue-wording.ts';
import type { YamlFile } from './yaml/parse.ts';

/** A file of another kind can have thousands of problems; nobody reads more at once. */
const maxProblems = 50;

/**
 * What is wrong with a file's values: each problem with its place, what is allowed, what to do. Text
 * from the file is quoted only where it cannot be a secret (see advice.ts).
 * @param schema what the file was judged by; with it a misspelt key is told the one that was meant,
 * and a missing one what belongs there
 */
export function explain(error: z.ZodError, file: YamlFile, schema?: z.ZodType): Problem[] {
  const problems = flattenIssues(error.issues).map((issue): Problem => {
    const wording = wordIssue(issue, file.value, schema);
    return { ...wording, file: file.path, ...placeOf(issue, file) };
  });
  return inOrder(problems).slice(0, maxProblems);
}

/** Problems as a reader meets them in the file. */
export function inOrder(problems: readonly Problem[]): Problem[] {
  return problems.toSorted(
    (a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
  );
}

function placeOf({ path, at }: FlatIssue, file: YamlFile) {
  return at === 'key' ? file.locateKey(path) : file.locate(path);
}
