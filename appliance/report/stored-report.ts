import { motdFile, reportFile } from '#contract/server-paths.ts';
import { writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { readJsonFile } from '../host/json-file.ts';
import { renderGreeting } from './greeting.ts';
import { renderReport } from './render-report.ts';
import { type Report, reportSchema } from './report.ts';

/** Returns the stored report; undefined if it is missing or damaged. */
export async function readReport(host: Host): Promise<Report | undefined> {
  return await readJsonFile(host, reportFile.json, reportSchema);
}

/** Writes the report as JSON and as text, and the login message. */
export async function writeReport(host: Host, report: Report): Promise<void> {
  await writeText(host, reportFile.json, `${JSON.stringify(report, null, 2)}\n`);
  await writeText(host, reportFile.text, renderReport(report));
  await writeText(host, motdFile.finished, renderGreeting(report));
}
