import type { Site } from '#contract/site/site.ts';
import type { Language } from '#contract/text/language.ts';
import { targetConditions, targetStates } from '../../server/alerts/describe-alerts.ts';
import { type Condition, lineOf } from '../../server/conditions/condition.ts';
import type { Host } from '../../server/host/host.ts';
import type { Warning } from '../../server/stage/reporter.ts';
import { updateReport } from './stored-report.ts';

type Topic = Condition['topic'];

/** The kinds of warnings. */
const kinds: Readonly<Partial<Record<Topic, Warning['kind']>>> = {
  alert: 'alert',
  disk: 'disk-low',
  update: 'update',
};

/** Returns conditions as warnings, in the language of the site, because the report is stored. */
export function warningsOf(conditions: readonly Condition[], language: Language = 'en'): Warning[] {
  return conditions.map((condition) => ({
    ...{ kind: kinds[condition.topic] ?? 'other', subject: condition.subject ?? '' },
    text: lineOf(condition, language),
  }));
}

/** Replaces the warnings of topics in the report by those of the current conditions. */
export async function updateWarnings(
  host: Host,
  { language }: Pick<Site, 'language'>,
  topics: readonly Topic[],
  conditions: readonly Condition[],
): Promise<void> {
  const replaced = new Set(topics.map((topic) => kinds[topic]));
  await updateReport(host, {}, (before) => [
    ...before.filter(({ kind }) => !replaced.has(kind)),
    ...warningsOf(conditions, language),
  ]);
}

/** Updates the warnings about alert targets in the report. */
export async function updateAlertWarnings(
  host: Host,
  site: Pick<Site, 'alerts' | 'language'>,
): Promise<void> {
  await updateWarnings(host, site, ['alert'], targetConditions(await targetStates(host, site)));
}
