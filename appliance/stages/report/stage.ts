import { isDeepStrictEqual } from 'node:util';
import { LandfallError } from '#contract/errors.ts';
import { motdFile, reportFile } from '#contract/server-paths.ts';
import type { Site } from '#contract/site/site.ts';
import { messageOf } from '#contract/text/chinese-errors.ts';
import { inLanguage } from '#contract/text/language.ts';
import { HttpClient } from '#http/client.ts';
import { networkOptions } from '../../server/host/download/download.ts';
import type { Host } from '../../server/host/host.ts';
import { install, isInPlace, missing, type Service } from '../../server/host/service.ts';
import { storedWarning, type Warning } from '../../server/stage/reporter.ts';
import type { Context, Stage } from '../../server/stage/stage.ts';
import { backupTimers } from '../../server/timers/backups.ts';
import { unattendedTimer, updateTimer } from '../../server/timers/updates.ts';
import { gatherReport } from './gather.ts';
import { renderGreeting } from './greeting.ts';
import { lastingPart, type Report } from './report.ts';
import { storedReport, writeReport } from './stored-report.ts';

/** Writes the report and sends it to the site's webhook. */
export const reportStage: Stage = {
  name: 'report',
  title: 'report: results and next steps',
  check,
  apply,
  prove,
};

async function check(context: Context): Promise<string[]> {
  const { host, site } = context;
  const timers = [
    ...(await missing(host, updateTimer(site))),
    ...(await missing(host, unattendedTimer(site))),
    ...(await missing(host, backupTimers(site))),
  ];
  const [stored, report] = [await storedReport.read(host), await gatherReport(context)];
  if (stored && isDeepStrictEqual(lastingPart(stored), lastingPart(report))) {
    if (await isInPlace(host, greetingOf(stored))) return timers;
  }
  return [
    ...timers,
    inLanguage({
      en: `write /${reportFile.text} and the login message`,
      zh: `写入 /${reportFile.text} 和登录信息`,
    }),
    ...(site.report?.webhook ? [sends(hostOf(site.report.webhook))] : []),
  ];
}

function sends(host: string): string {
  return inLanguage({ en: `send the report to ${host}`, zh: `把报告发送到 ${host}` });
}

async function apply(context: Context): Promise<void> {
  const { host, site } = context;
  await install(host, updateTimer(site));
  await install(host, unattendedTimer(site));
  await install(host, backupTimers(site));
  const gathered = await gatherReport(context);
  const warnings = [...gathered.warnings, ...(await send(context, gathered))];
  await writeReport(host, { ...gathered, warnings });
}

async function prove({ host }: Context): Promise<void> {
  const report = await storedReport.read(host);
  if (report && (await isInPlace(host, greetingOf(report)))) return;
  throw new LandfallError(
    'STATE_INVALID',
    `/${reportFile.json} does not have the content that was written`,
    {
      hint: 'Check the disk, and whether another program changes the file.',
    },
  );
}

function greetingOf(report: Report): Service {
  return { files: [{ path: motdFile.finished, text: renderGreeting(report) }] };
}

/** Sends the report. A failure is only a warning, so that it does not fail the first boot. */
async function send({ host, site, report }: Context, content: Report): Promise<Warning[]> {
  const webhook = site.report?.webhook;
  if (!webhook) return [];
  report.say(
    inLanguage({
      en: `sending the report to ${hostOf(webhook)}`,
      zh: `把报告发送到 ${hostOf(webhook)}`,
    }),
  );
  try {
    await phoneHome(host, site, webhook, content);
    return [];
  } catch (error) {
    if (!(error instanceof LandfallError)) throw error;
    const cause = messageOf(error);
    const text = {
      en: `sending the report to the webhook failed: ${cause.en}`,
      zh: `没能把报告发送到 webhook：${cause.zh}`,
    };
    const warning = { kind: 'webhook', subject: hostOf(webhook), text } as const;
    report.warn(warning);
    return [storedWarning(warning, site.language)];
  }
}

/** Returns the host only, because the path may contain a token. */
function hostOf(url: string): string {
  return new URL(url).host;
}

/**
 * Posts the report as JSON to the site's webhook, over the site's route.
 * @param seconds timeout for the whole request
 * @throws LandfallError NETWORK_UNREACHABLE, NETWORK_TIMEOUT, NETWORK_TLS, NETWORK_PROXY, HTTP_STATUS
 */
export async function phoneHome(
  host: Host,
  site: Site,
  webhook: string,
  report: Report,
  seconds = 30,
): Promise<void> {
  const url = new URL(webhook);
  await using client = new HttpClient(networkOptions(site));
  const { status } = await host.outside.measure(() =>
    client.send({
      ...{ url, method: 'POST', timeout: seconds * 1000, body: JSON.stringify(report) },
      headers: { 'content-type': 'application/json' },
    }),
  );
  if (status >= 200 && status < 300) return;
  throw new LandfallError('HTTP_STATUS', `the webhook at ${url.host} returned status ${status}`);
}
