import { LandfallError } from '#contract/errors.ts';
import type { Comparison } from './report.ts';
import { reportLocks } from './report-locks.ts';
import { reportReleases } from './report-releases.ts';
import type { Pair, Side } from './sides.ts';

/**
 * Compares two releases or two lock files.
 * @param verbose whether to compare the settings of releases as text
 * @throws LandfallError USAGE for a release and a lock file; BUNDLE_CONTENT, BUNDLE_TRUNCATED
 */
export async function compare(
  { before, after }: Pair<Side>,
  verbose: boolean,
): Promise<Comparison> {
  if (before.type === 'lock' && after.type === 'lock') return reportLocks({ before, after });
  if (before.type !== 'lock' && after.type !== 'lock') {
    return await reportReleases({ before, after }, verbose);
  }
  throw new LandfallError('USAGE', 'cannot compare a release with a lock file', {
    hint: 'Pass two releases, or two lock files.',
  });
}
