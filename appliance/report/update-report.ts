import { isDeepStrictEqual } from 'node:util';
import type { Host } from '../host/host.ts';
import { isRunLocked } from '../host/lock/run-lock.ts';
import { readStatus, writeStatus } from '../progress/status.ts';
import type { Warning } from '../stage/warning.ts';
import type { Report } from './report.ts';
import { readReport, writeReport } from './stored-report.ts';

/**
 * Updates report, login message and status after a change outside of a first boot. Other fields stay
 * as they are. Missing files are not created.
 * @param part changed fields of the report
 * @param warnings maps the stored warnings to the current ones
 */
export async function updateReport(
  host: Host,
  part: Partial<Report>,
  warnings: (before: readonly Warning[]) => Warning[],
): Promise<void> {
  const stored = await readReport(host);
  const report = stored && { ...stored, ...part, warnings: warnings(stored.warnings) };
  if (report && !isDeepStrictEqual(report, stored)) await writeReport(host, report);
  // A running first boot writes its own status.
  if (await isRunLocked(host, 'first-boot')) return;
  const status = await readStatus(host);
  const current = status && { ...status, warnings: warnings(status.warnings) };
  if (current && !isDeepStrictEqual(current, status)) await writeStatus(host, current);
}
