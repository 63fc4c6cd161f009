import { isDeepStrictEqual } from 'node:util';
import { LandfallError } from '#contract/errors.ts';
import { motdFile, reportFile } from '#contract/server-paths.ts';
import { isFile } from '../host/files.ts';
import type { Context, Stage } from '../stage/stage.ts';
import type { Warning } from '../stage/warning.ts';
import { gatherReport } from './gather.ts';
import { renderGreeting } from './greeting.ts';
import { phoneHome } from './phone-home.ts';
import { lastingPart, type Report } from './report.ts';
import { readReport, writeReport } from './stored-report.ts';

/** Writes down what a person needs to know of this server, and tells the site's webhook. */
export const reportStage: Stage = {
  name: 'report',
  title: 'report: what was done here, and what to do next',
  check,
  apply,
  prove,
};

async function check(context: Context): Promise<string[]> {
  const { host, site } = context;
  const [stored, report] = [await readReport(host), await gatherReport(context)];
  if (stored && isDeepStrictEqual(lastingPart(stored), lastingPart(report))) {
    if (await isFile(host, motdFile.finished, renderGreeting(stored))) return [];
  }
  return [
    `write /${reportFile.text} and a greeting for who logs in`,
    ...(site.report?.webhook ? [`send the report to ${hostOf(site.report.webhook)}`] : []),
  ];
}

async function apply(context: Context): Promise<void> {
  const { host } = context;
  const gathered = await gatherReport(context);
  const warnings = [...gathered.warnings, ...(await tell(context, gathered))];
  await writeReport(host, { ...gathered, warnings });
}

async function prove({ host }: Context): Promise<void> {
  const report = await readReport(host);
  if (report && (await isFile(host, motdFile.finished, renderGreeting(report)))) return;
  throw new LandfallError('STATE_INVALID', `/${reportFile.json} cannot be read back`, {
    hint: 'Something else writes there, or the disk is broken. It is written anew at the next run.',
  });
}

/** A webhook that cannot be reached is no reason to call the first boot failed. */
async function tell({ host, site, report }: Context, content: Report): Promise<Warning[]> {
  const webhook = site.report?.webhook;
  if (!webhook) return [];
  report.say(`sending the report to ${hostOf(webhook)}`);
  try {
    await phoneHome(host, site, webhook, content);
    return [];
  } catch (error) {
    if (!(error instanceof LandfallError)) throw error;
    const text = `the report did not reach the webhook: ${error.message}`;
    const warning = { kind: 'webhook', subject: hostOf(webhook), text } as const;
    report.warn(warning);
    return [warning];
  }
}

/** The path may hold a token. */
function hostOf(url: string): string {
  return new URL(url).host;
}
