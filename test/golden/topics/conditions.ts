import { existsSync, readFileSync } from 'node:fs';
import { alertsFile, installedMark } from '#contract/server-paths.ts';
import { showStatus as showBackups } from '../../../appliance/commands/backup/show.ts';
import { overviewRows } from '../../../appliance/commands/daily/show-overview.ts';
import {
  asJson,
  exitCodeFor,
  watchedRows,
  watchedState,
} from '../../../appliance/commands/status.ts';
import { watchServer } from '../../../appliance/commands/watch.ts';
import { usageConditions } from '../../../appliance/relay/report/usage-conditions.ts';
import { alertOf } from '../../../appliance/server/alerts/announce.ts';
import {
  targetConditions,
  targetStates,
} from '../../../appliance/server/alerts/describe-alerts.ts';
import { idOf } from '../../../appliance/server/conditions/condition.ts';
import { diskConditions } from '../../../appliance/server/conditions/disk.ts';
import { undoneNotices } from '../../../appliance/server/host/undo/notice.ts';
import { readStanding } from '../../../appliance/server/progress/state.ts';
import { rowsOf } from '../../../appliance/server/progress/terminal/table.ts';
import { warningsOf } from '../../../appliance/stages/report/warnings.ts';
import { describeStack } from '../../../appliance/stages/stack/describe-stack.ts';
import { stackState } from '../../../appliance/stages/stack/stack-state.ts';
import { contextFor } from '../../appliance/context.ts';
import { withSpace } from '../../appliance/disk-settings.ts';
import { usageFiles } from '../../appliance/relay/report/stored-usage-files.ts';
import type { TemporaryHost } from '../../appliance/temporary-host.ts';
import { type Condition, conditions, now, serverWith, steady } from '../conditions.ts';
import { inEachLanguage, json, type Section, sections, type Topic } from '../golden.ts';
import { printed, textOfRows } from '../printed.ts';
import { anyServer } from '../server-folder.ts';

/** What each condition looks like in the overview, the status, the alerts and the warnings of the report. */
export const conditionFiles: Topic = async () => {
  const overview: Section[] = [];
  const status: Section[] = [];
  const documents: Section[] = [];
  const alerts: Section[] = [];
  for (const [name, condition] of Object.entries(conditions)) {
    overview.push([name, await inBoth(() => overviewOf(condition))]);
    status.push([name, await inBoth(() => statusOf(condition))]);
    documents.push([name, await statusJsonOf(condition)]);
    alerts.push([name, await inBoth(() => alertsOf(condition))]);
  }
  return new Map([
    ['overview.txt', sections(overview)],
    ['overview-without-root.txt', await inBoth(overviewWithoutRoot)],
    ['status.txt', sections(status)],
    ['status.json', sections(documents)],
    ['alerts.txt', sections(alerts)],
    ['backups.txt', sections(await backupTexts())],
    ['relay-keys.json', await relayKeyConditions()],
  ]);
};

async function inBoth(render: () => Promise<string>): Promise<string> {
  const { en, zh } = await inEachLanguage(async () => steady(await render()));
  return `${en.trimEnd()}\n${zh === en ? '' : `\n${zh}`}`;
}

async function overviewOf(condition: Condition): Promise<string> {
  return textOfRows(await overviewRows(serverWith(condition), now.getTime()));
}

/** The overview of a user who may neither ask Docker nor become root. */
async function overviewWithoutRoot(): Promise<string> {
  const { getuid } = process;
  process.getuid = () => 1000;
  try {
    const host = anyServer({ files: { ...withSpace, [installedMark]: '1.2.0\n' } });
    return textOfRows(await overviewRows(host, now.getTime()));
  } finally {
    if (getuid) process.getuid = getuid;
  }
}

/** As `landfall status` prints it. */
async function statusOf(condition: Condition): Promise<string> {
  const host = serverWith(condition);
  const standing = await readStanding(host);
  const undone = await undoneNotices(host);
  const rows = [
    ...undone.map((text) => ({ text, colour: 'yellow' as const })),
    ...rowsOf(standing, now.getTime()),
    { text: '' },
    ...describeStack(await stackState(host)),
    ...watchedRows(await watchedState(host)),
  ];
  return textOfRows(rows);
}

async function statusJsonOf(condition: Condition): Promise<string> {
  const host = serverWith(condition);
  const [standing, stack] = [await readStanding(host), await stackState(host)];
  const document = { ...asJson(standing, stack), ...(await watchedState(host)) };
  return steady(`exit code ${exitCodeFor(standing, stack)}\n${json(document)}`);
}

/** The target of alerts of a site without one. */
const wecom = { kind: 'wecom' };

/** What is queued for a target, and the warnings of the report, which have the language of the site. */
async function alertsOf(condition: Condition): Promise<string> {
  const texts: string[] = [];
  for (const language of ['en', 'zh'] as const) {
    const host = serverWith(condition);
    const given: Condition['site'] = { ...condition.site, language };
    const { site } = contextFor(host, { site: { ...given, alerts: given.alerts ?? [wecom] } });
    const warned = contextFor(host, { site: given }).site;
    const warnings = warningsOf(
      [...(await diskConditions(host)), ...targetConditions(await targetStates(host, warned))],
      language,
    );
    await watchServer(host, site).catch((error: Error) => texts.push(`throws ${error.message}`));
    texts.push(json({ warnings, queued: queuedOn(host) }));
  }
  return texts.join('');
}

function queuedOn(host: TemporaryHost): unknown[] {
  const file = host.path(alertsFile);
  if (!existsSync(file)) return [];
  const queue: Record<string, { unsent: unknown[] }> = JSON.parse(readFileSync(file, 'utf8'));
  return Object.values(queue).flatMap(({ unsent }) => unsent);
}

async function backupTexts(): Promise<Section[]> {
  const named = Object.entries(conditions).filter(([name]) => /^(?:backup|healthy)/.test(name));
  const texts: Section[] = [];
  for (const [name, condition] of named) {
    const facts = () => {
      const host = serverWith(condition);
      return { ...contextFor(host, { site: condition.site ?? {} }), host };
    };
    texts.push([name, await inBoth(() => printed(() => showBackups(facts())))]);
    texts.push([`${name}, --json`, await printed(() => showBackups(facts(), true))]);
  }
  return texts;
}

async function relayKeyConditions(): Promise<string> {
  const keys = [
    { name: 'low', tokens_per_day: 1000 },
    { name: 'high', tokens_per_day: 1000 },
    { name: 'empty', tokens_per_day: 1000 },
  ];
  const owner = process.getuid?.() ?? 0;
  const texts: Section[] = [];
  for (const language of ['en', 'zh'] as const) {
    const files = usageFiles({ low: 10, high: 850, empty: 1000 }, { low: 21 });
    const { site } = contextFor(anyServer(), { site: { relay: { keys, local: true }, language } });
    const of = async (host: TemporaryHost) =>
      (await usageConditions(host, site, undefined, owner)).map((each) => {
        const { state, subject, detail, command } = alertOf(each, language);
        return { id: idOf(each), state, subject, detail, command };
      });
    texts.push([`used, ${language}`, json(await of(anyServer({ files })))]);
    texts.push([`not counted, ${language}`, json(await of(anyServer()))]);
  }
  return sections(texts);
}
