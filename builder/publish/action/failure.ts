import { isAbsolute, relative } from 'node:path';
import { type AnnotationProperties, error as annotate } from '@actions/core';
import type { Problem } from '#contract/errors.ts';

/** An error as programs print it with `--json`. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly problems?: readonly Problem[] | undefined;
}

/** GitHub shows ten error annotations per step; the first is the error without its problems. */
const maxProblems = 9;

/**
 * Writes the annotations of an error: one for the error, one for each problem at its file, line and
 * column. The title is the error code.
 */
export function annotateFailure({ code, message, hint, problems = [] }: Failure): void {
  annotate(withHint(message, hint), { title: code });
  for (const problem of problems.slice(0, maxProblems)) {
    annotate(withHint(problem.message, problem.hint), positionOf(code, problem));
  }
  const more = problems.length - maxProblems;
  if (more > 0) console.log(`${more} more problems; run the builder locally to see all of them`);
}

function withHint(message: string, hint: string | undefined): string {
  return hint ? `${message}\n${hint}` : message;
}

function positionOf(title: string, { file, line, column }: Problem): AnnotationProperties {
  if (file === undefined) return { title };
  return {
    title,
    file: fromWorkspace(file),
    ...(line === undefined ? {} : { startLine: line }),
    ...(column === undefined ? {} : { startColumn: column }),
  };
}

/** Returns a path from the workspace, because annotations need one from the repository. */
function fromWorkspace(file: string): string {
  const workspace = process.env.GITHUB_WORKSPACE ?? process.cwd();
  return isAbsolute(file) ? relative(workspace, file) : file;
}
