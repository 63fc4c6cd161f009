import { isDeepStrictEqual } from 'node:util';
import { motdFile, reportFile } from '#contract/server-paths.ts';
import { writeText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import { isRunLocked } from '../../server/host/lock/run-lock.ts';
import { StateFile } from '../../server/host/state-file.ts';
import { storedStatus } from '../../server/progress/status.ts';
import type { Warning } from '../../server/stage/reporter.ts';
import { renderGreeting } from './greeting.ts';
import { renderReport } from './render-report.ts';
import { type Report, reportSchema } from './report.ts';

export const storedReport = new StateFile(reportFile.json, reportSchema);

/** Writes the report as JSON and as text, and the login message. */
export async function writeReport(host: Host, report: Report): Promise<void> {
  await storedReport.write(host, report);
  await writeText(host, reportFile.text, renderReport(report));
  await writeText(host, motdFile.finished, renderGreeting(report));
}

/**
 * Updates report, login message and status after a change outside of a first boot. Other fields stay
 * as they are. Missing files are not created.
 * @param part changed fields of the report
 * @param warnings maps the stored warnings to the current ones; default: they stay
 */
export async function updateReport(
  host: Host,
  part: Partial<Report>,
  warnings: (before: readonly Warning[]) => Warning[] = (before) => [...before],
): Promise<void> {
  const stored = await storedReport.read(host);
  const report = stored && { ...stored, ...part, warnings: warnings(stored.warnings) };
  if (report && !isDeepStrictEqual(report, stored)) await writeReport(host, report);
  // A running first boot writes its own status.
  if (await isRunLocked(host, 'first-boot')) return;
  const status = await storedStatus.read(host);
  const current = status && { ...status, warnings: warnings(status.warnings) };
  if (current && !isDeepStrictEqual(current, status)) await storedStatus.write(host, current);
}
