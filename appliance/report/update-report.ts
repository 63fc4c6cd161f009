import { isDeepStrictEqual } from 'node:util';
import type { Host } from '../host/host.ts';
import { isRunLocked } from '../host/run-lock.ts';
import { readStatus, writeStatus } from '../progress/status.ts';
import type { Warning } from '../stage/warning.ts';
import type { Report } from './report.ts';
import { readReport, writeReport } from './stored-report.ts';

/**
 * Writes report, greeting and status anew after something changed that a first boot left open. The
 * rest of them stays as the first boot found it; what is not there is not made up.
 * @param part what the report says otherwise now
 * @param warnings which warnings hold now, out of those from before
 */
export async function updateReport(
  host: Host,
  part: Partial<Report>,
  warnings: (before: readonly Warning[]) => Warning[],
): Promise<void> {
  const stored = await readReport(host);
  const report = stored && { ...stored, ...part, warnings: warnings(stored.warnings) };
  if (report && !isDeepStrictEqual(report, stored)) await writeReport(host, report);
  // A first boot that is at work writes its own.
  if (await isRunLocked(host, 'first-boot')) return;
  const status = await readStatus(host);
  const current = status && { ...status, warnings: warnings(status.warnings) };
  if (current && !isDeepStrictEqual(current, status)) await writeStatus(host, current);
}
