import { Command } from 'commander';
import { LandfallError } from '#contract/errors.ts';
import { inLanguage, type Text } from '#contract/text/language.ts';
import { paintFor } from '#terminal/paint-for.ts';
import { roomOn } from '#terminal/screen.ts';
import { describeBrief, type EngineBrief, engineBriefs } from '../nodes/balancer/brief.ts';
import { whyGivenUp } from '../operations/transactions/history.ts';
import { storedUpdates } from '../operations/update/last-check.ts';
import {
  type AccessState,
  accessState,
  conditionsOf,
  describeAccess,
} from '../server/access/conditions.ts';
import {
  type TargetState,
  targetConditions,
  targetStates,
} from '../server/alerts/describe-alerts.ts';
import { type Condition, colourOf, labelled, lineOf } from '../server/conditions/condition.ts';
import { type LowDisk, lowDisk, lowDisks } from '../server/conditions/disk.ts';
import { Host } from '../server/host/host.ts';
import { runCommand } from '../server/host/run/command.ts';
import { undoneNotices } from '../server/host/undo/notice.ts';
import { readSite } from '../server/load-facts.ts';
import { outcomeOf, readStanding, type Standing } from '../server/progress/state.ts';
import { type Row, rowsOf } from '../server/progress/terminal/table.ts';
import { renderRows, watchStanding } from '../server/progress/terminal/watch.ts';
import { updateInProgress } from '../server/records/transaction.ts';
import { describeWorking, routeConditions } from '../stages/route/check/describe.ts';
import { type RouteState, storedRoute } from '../stages/route/check/state.ts';
import { describeStack, healthOf } from '../stages/stack/describe-stack.ts';
import { type StackState, stackState } from '../stages/stack/stack-state.ts';
import { checkedOn, type ReleaseFacts, releaseCondition } from './release-condition.ts';

/** For scripts that wait: EX_TEMPFAIL of sysexits(3). */
const notYet = 75;
/** For monitoring: EX_UNAVAILABLE of sysexits(3). */
const componentsDown = 69;
/** Exit code of errors on a server (`docs/errors.md`). */
const hasFailed = 11;

const help: Text = {
  en: `
Exit codes: 0 up, 75 not yet up, 69 a component is down, 11 failed.

Example:
  landfall status --watch
`,
  zh: `
退出码：0 正常，75 尚未就绪，69 有组件停止工作，11 失败。

示例：
  landfall status --watch
`,
};

/** `landfall status`: shows the state of this server. */
export function statusCommand() {
  return new Command('status')
    .description('show the state of this server, also as an exit code')
    .option('--watch', 'follow a first boot until it ends')
    .option('--json', 'print the state as JSON')
    .addHelpText('after', inLanguage(help))
    .action(({ watch, json }) => showStatus(watch, json));
}

async function showStatus(watch = false, json = false): Promise<void> {
  const host = new Host('/', runCommand);
  const read = () => readStanding(host);
  const standing =
    watch && !json ? await watchStanding(read, process.stdout, process.env) : await read();
  const now = isInstalled(standing) ? await stackState(host) : undefined;
  const watched = isInstalled(standing) ? await watchedState(host) : {};
  if (json) console.log(JSON.stringify({ ...asJson(standing, now), ...watched }, null, 2));
  else {
    const before = watch ? [] : rowsOf(standing, Date.now());
    const undone = await undoneNotices(host);
    print([
      ...undone.map((text): Row => ({ text, colour: 'yellow' })),
      ...before,
      ...(now ? [{ text: '' }, ...describeStack(now)] : []),
      ...watchedRows(watched),
    ]);
    if (watch && now) print(rowsAfterWatch());
  }
  // JSON output already contains `unknown`; an error would be a second object.
  if (json && standing.kind === 'unknown') process.exitCode = hasFailed;
  else process.exitCode = exitCodeFor(standing, now);
}

/** Reports whether a first boot has completed. Until then Docker's state is not shown. */
function isInstalled(standing: Standing): boolean {
  if (standing.kind === 'stages') return standing.installed || standing.status.state === 'done';
  return standing.kind === 'installed';
}

/** Returns what a user who followed the first boot does next. */
export function rowsAfterWatch(): readonly Row[] {
  const next = {
    en: 'next: landfall report shows the addresses and what to do next',
    zh: '下一步：landfall report 显示地址和后续步骤',
  };
  return [{ text: '' }, { text: inLanguage(next) }];
}

function print(rows: readonly Row[]): void {
  if (rows.length === 0) return;
  const { stdout, env } = process;
  const columns = stdout.isTTY ? roomOn(stdout).columns : Number.POSITIVE_INFINITY;
  console.log(renderRows(rows, columns, paintFor(stdout, env)).join('\n'));
}

/** Returns the output of --json: the progress of the setup and the current state of the stack. */
export function asJson(standing: Standing, now?: StackState): object {
  return { ...setupAsJson(standing), ...now };
}

function setupAsJson(standing: Standing): object {
  const state = outcomeOf(standing);
  if (standing.kind === 'stages') return { ...standing.status, state };
  if (standing.kind === 'bootstrap') return { state, line: standing.line };
  if (standing.kind === 'unknown') return { state };
  const { stage, code } = standing.unfinished ?? {};
  return { state, release: standing.release, ...(stage && { stage }), ...(code && { code }) };
}

/**
 * Returns the exit code of `landfall status`.
 * @throws LandfallError STATE_INVALID if no first boot has started
 */
export function exitCodeFor(standing: Standing, now?: StackState): number {
  const outcome = outcomeOf(standing);
  if (outcome === 'unknown') {
    throw new LandfallError('STATE_INVALID', 'no first boot has started on this server', {
      hint: {
        en: 'Run `cloud-init status --long` to see whether cloud-init has run the user-data.',
        zh: '运行 `cloud-init status --long`，查看 cloud-init 是否执行了 user-data。',
      },
    });
  }
  const hasStopped = outcome === 'interrupted' && isInstalled(standing);
  if (outcome === 'failed' || hasStopped) return hasFailed;
  if (outcome !== 'done') return notYet;
  return now ? exitCodes[healthOf(now)] : 0;
}

const exitCodes = { up: 0, starting: notYet, down: componentsDown } as const;

/** What `landfall status` shows besides the setup and the stack. */
interface WatchedState extends ReleaseFacts {
  /** The last scheduled check of the route. */
  readonly route?: RouteState | undefined;
  readonly alerts?: readonly TargetState[];
  /** The servers behind HAProxy. */
  readonly engines?: readonly EngineBrief[];
  /** The tunnel of the site. */
  readonly access?: AccessState;
  /** File systems that are low on space. */
  readonly lowDisks?: readonly LowDisk[];
}

/** Returns the state of the route, the updates, the alert targets and the disks. */
export async function watchedState(host: Host): Promise<WatchedState> {
  const [route, update, updating] = await Promise.all([
    storedRoute.read(host),
    storedUpdates.read(host),
    updateInProgress(host),
  ]);
  const offer = update?.offer?.kind === 'update' ? update.offer : undefined;
  const givenUp = offer && (await whyGivenUp(host, offer));
  const [ofSite, low] = await Promise.all([statesOf(host), lowDisks(host)]);
  return { route, update, givenUp, updating, ...ofSite, lowDisks: low };
}

/** Formats the state of the route and of updates, and what has problems of the rest. */
export function watchedRows(watched: WatchedState): Row[] {
  const { route, update, alerts = [], lowDisks: low = [] } = watched;
  const release = releaseCondition(watched);
  const failing = route ? routeConditions(route) : [];
  return [
    ...(route && failing.length === 0 ? [{ text: describeWorking(route) }] : failing.map(rowOf)),
    ...(release
      ? [rowOf(release)]
      : update
        ? [{ text: labelled('update', inLanguage(checkedOn(update))) }]
        : []),
    ...accessRows(watched.access),
    ...engineRows(watched.engines),
    ...[...targetConditions(alerts), ...low.map(lowDisk)].map(rowOf),
  ];
}

function accessRows(access?: AccessState): Row[] {
  if (!access) return [];
  const conditions = conditionsOf(access);
  return conditions.length > 0 ? conditions.map(rowOf) : [{ text: describeAccess(access) }];
}

function engineRows(engines: readonly EngineBrief[] = []): Row[] {
  if (engines.length === 0) return [];
  const states = engines.map((each) => describeBrief(each)).join(', ');
  const text = inLanguage({
    en: `inference servers: ${states}; sudo landfall engines`,
    zh: `推理服务器：${states}；sudo landfall engines`,
  });
  const isDown = engines.some(({ state }) => state === 'down');
  return [isDown ? { text, colour: 'yellow' } : { text }];
}

function rowOf(condition: Condition): Row {
  return { text: lineOf(condition), colour: colourOf(condition) };
}

/** An invalid site must not hide the rest of the status. */
async function statesOf(host: Host): Promise<Pick<WatchedState, 'alerts' | 'engines' | 'access'>> {
  try {
    const site = await readSite(host);
    const engines = await engineBriefs(host, site);
    const alerts = await targetStates(host, site);
    const access = await accessState(host, site);
    return { alerts, ...(engines.length > 0 ? { engines } : {}), ...(access ? { access } : {}) };
  } catch (error) {
    if (error instanceof LandfallError) return { alerts: [] };
    throw error;
  }
}
