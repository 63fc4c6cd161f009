import { LandfallError } from '#contract/errors.ts';
import { formatProblem } from '#contract/text/problem.ts';
import { silentReporter } from '../stage/reporter.ts';
import type { Context } from '../stage/stage.ts';
import type { Finding } from './finding.ts';

/** What a doctor knows about the server, or why it knows less. */
interface Known {
  readonly context?: Context;
  readonly finding?: Finding;
}

/**
 * Reads the site and the release. An invalid site is a finding; an unreadable one is not, because
 * only root may read it.
 * @param load throws LandfallError STATE_INVALID for an invalid site
 */
export async function readSubject(load: () => Promise<Omit<Context, 'report'>>): Promise<Known> {
  try {
    return { context: { ...(await load()), report: silentReporter } };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EACCES') return {};
    if (!(error instanceof LandfallError) || error.code === 'USAGE') throw error;
    const details = error.problems.map((problem) => formatProblem(problem));
    return { finding: { code: 'SITE_INVALID', subject: 'site', text: error.message, details } };
  }
}
