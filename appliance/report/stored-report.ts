import { motdFile, reportFile } from '#contract/server-paths.ts';
import { readText, writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { renderGreeting } from './greeting.ts';
import { renderReport } from './render-report.ts';
import { type Report, reportSchema } from './report.ts';

/** The report as it was written, or nothing where there is none or it is damaged. */
export async function readReport(host: Host): Promise<Report | undefined> {
  try {
    return reportSchema.parse(JSON.parse((await readText(host, reportFile.json)) ?? ''));
  } catch {
    return undefined;
  }
}

/** Writes the report for programs and for people, and the greeting for who logs in. */
export async function writeReport(host: Host, report: Report): Promise<void> {
  await writeText(host, reportFile.json, `${JSON.stringify(report, null, 2)}\n`);
  await writeText(host, reportFile.text, renderReport(report));
  await writeText(host, motdFile.finished, renderGreeting(report));
}
