import { LandfallError } from '#contract/errors.ts';
import {
  asciiJson,
  briefSite,
  type SiteDifference,
  siteDifferences,
} from '#contract/site/brief-site.ts';
import type { Site } from '#contract/site/site.ts';
import { parseJson } from '#contract/text/json.ts';
import { inLanguage } from '#contract/text/language.ts';
import { formatTable } from '#contract/text/table.ts';
import { shownEntries, shownValue } from '#explain/shown-value.ts';
import { effectOf } from '#explain/site-notes.ts';
import { wrapFor } from '#terminal/wrap-for.ts';
import { changedServices } from '../../operations/driver/verify.ts';
import type { Host } from '../../server/host/host.ts';
import type { Facts } from '../../server/load-facts.ts';
import { type PlannedStage, planStages } from '../../server/stage/plan.ts';
import { silentReporter } from '../../server/stage/reporter.ts';
import type { Context } from '../../server/stage/stage.ts';
import { titleOf } from '../../server/stage/stage-texts.ts';
import { stagesFor } from '../../stages/first-boot.ts';
import { serviceStates } from '../../stages/stack/stack-state.ts';
import { interruptionOf } from '../daily/interruptions.ts';
import { needsConfirmation } from './changeable.ts';
import { readSource } from './source.ts';

/**
 * Prints what differs between the site of this server and another one, and what each stage would do.
 * @param file path, or `-` for standard input; default: site.yaml of this server, edited by hand
 * @param order returns the stages of a site
 * @throws LandfallError CONFIG_…, SITE_SECRET with the line and column of each problem; FILE_…
 */
export async function showDifferences(
  facts: Facts,
  file: string | undefined,
  json = false,
  order: typeof stagesFor = stagesFor,
): Promise<void> {
  const change = await changeTo(facts, (await readSource(facts.host, file)).site, order);
  if (json) return console.log(JSON.stringify(asJson(change), null, 2));
  console.log(describeChange(change));
}

/** What another site changes on this server. */
export interface SiteChange {
  readonly differences: readonly SiteDifference[];
  /** The stages that have something to do. */
  readonly stages: readonly PlannedStage[];
  /** The services whose containers are replaced, added or removed. */
  readonly restarts: readonly string[];
  /** Those of them that run. */
  readonly interrupted: readonly string[];
  /** Whether a new login must confirm it. */
  readonly confirms: boolean;
}

/** Returns what another site changes on this server. Read-only. */
export async function changeTo(
  facts: Facts,
  site: Site,
  order: typeof stagesFor = stagesFor,
): Promise<SiteChange> {
  const differences = siteDifferences(parseJson(asciiJson(briefSite(facts.site))), site);
  const context = { ...facts, site, report: silentReporter };
  const plan = differences.length === 0 ? [] : await planStages(order(context), context);
  const stages = plan.filter(({ todo, obstacle }) => todo.length > 0 || obstacle !== undefined);
  const restarts = differences.length === 0 ? [] : await restartsOf(context, differences);
  const running = restarts.length === 0 ? [] : await runningServices(facts.host);
  const interrupted = restarts.filter((name) => running?.includes(name) ?? true);
  const confirms = needsConfirmation(differences);
  return { differences, stages, restarts, interrupted, confirms };
}

/** Returns the services that run; undefined if Docker does not respond. */
async function runningServices(host: Host): Promise<string[] | undefined> {
  try {
    const found = await serviceStates(host);
    return found.filter(({ state }) => state === 'running').map(({ name }) => name);
  } catch (error) {
    if (error instanceof LandfallError) return undefined;
    throw error;
  }
}

/** As Compose decides it. A site with secrets that do not exist yet: those that its fields can restart. */
async function restartsOf(
  context: Context,
  differences: readonly SiteDifference[],
): Promise<readonly string[]> {
  try {
    return await changedServices(context);
  } catch (error) {
    if (!(error instanceof LandfallError)) throw error;
    return [...new Set(differences.flatMap(({ field }) => effectOf(field).restarts))].sort();
  }
}

function asJson({ differences, stages, restarts, confirms }: SiteChange) {
  return {
    fields: differences.map(({ field, before, after }) => ({
      ...{ field, before: before ?? null, after: after ?? null },
    })),
    stages: stages.map(({ name, todo, obstacle }) => ({ name, todo, obstacle: obstacle ?? null })),
    ...{ restarts, confirms },
  };
}

/** Formats the changed fields, what each stage would do, and what is interrupted. */
export function describeChange(change: SiteChange): string {
  const { differences, stages, interrupted, confirms } = change;
  const say = (en: string, zh: string) => inLanguage({ en, zh });
  if (differences.length === 0) return say('The sites are the same.', '两个站点相同。');
  const heads = [say('field', '字段'), say('now', '现在'), say('then', '改为')];
  const rows = differences.map(({ field, before, after }) => [
    field,
    ...(shownEntries(before, after) ?? [shownValue(before), shownValue(after)]),
  ]);
  const lines = stages.flatMap(({ todo, obstacle, ...stage }) => [
    titleOf(stage),
    ...todo.map((line) => `  - ${line}`),
    ...(obstacle === undefined ? [] : [`  ! ${say('not known yet', '尚不清楚')}: ${obstacle}`]),
  ]);
  const pauses = interrupted.map((name) => `  - ${interruptionOf(name, 'seconds')}`);
  return [
    formatTable([heads, ...rows]),
    '',
    ...(lines.length > 0 ? lines : [say('No stage has anything to do.', '没有需要执行的阶段。')]),
    ...(pauses.length > 0 ? ['', say('Interrupted:', '会中断：'), ...pauses] : []),
    ...(confirms ? ['', wrapFor(process.stdout, inLanguage(confirmText))] : []),
  ].join('\n');
}

const confirmText = {
  en: 'This could lock you out. Afterwards, log in again in a second window and run `sudo landfall confirm` there; without it, the earlier site comes back after 10 minutes.',
  zh: '此更改可能使您无法登录。应用后，请在第二个窗口重新登录并运行 `sudo landfall confirm`；否则 10 分钟后恢复之前的站点。',
};
